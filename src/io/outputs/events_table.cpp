#include "outputs/events_table.hpp"

#include <algorithm>

#include "quote.hpp"

namespace herglotz::io {
namespace {

using mechanics::Direction;

Direction read_direction(const Source& source, const Value& value) {
  source.expect(value, Kind::string, "'direction'");
  if (value.text == "any") return Direction::any;
  if (value.text == "rising") return Direction::rising;
  if (value.text == "falling") return Direction::falling;
  source.unknown(value.place, "direction", value.text, {"any", "rising", "falling"});
}

}  // namespace

mechanics::Event read_event(const Vocabulary& vocabulary, const Member& entry, const Role& role) {
  const Source& source = vocabulary.source();
  mechanics::Event event;
  event.name = entry.key;
  if (entry.value.kind != Kind::table) {
    event.value = vocabulary.expression(entry.value, role);
    return event;
  }
  const std::vector<std::string> known{"at", "direction", "stop"};
  for (const Member& member : entry.value.members) {
    if (member.key == "at") {
      event.value = vocabulary.expression(member.value, role);
    } else if (member.key == "direction") {
      event.direction = read_direction(source, member.value);
    } else if (member.key == "stop") {
      source.expect(member.value, Kind::boolean, "'stop'");
      event.stop = member.value.flag;
    } else {
      source.unknown(member.place, "key", member.key, known);
    }
  }
  if (entry.value.find("at") == nullptr) {
    source.fail(entry.value.place, "the event " + in_quotes(entry.key) + " has no 'at'",
                "give the expression whose zeros it is: at = \"q\"");
  }
  return event;
}

}  // namespace herglotz::io
