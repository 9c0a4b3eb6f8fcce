#include "outputs/events_table.hpp"

#include <algorithm>

#include "herglotz/symbolic/names.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using mechanics::Direction;

std::vector<mechanics::Reset> read_resets(const Vocabulary& vocabulary, const Value& table, const ExpressionRole& role,
                                          const std::vector<std::string>& state) {
  const Source& source = vocabulary.source();
  source.expect(table, Kind::table, "'set'");
  if (table.members.empty())
    source.fail(table.place, "'set' is empty", "say what changes there: set = { " + state.front() + " = \"...\" }");
  std::vector<mechanics::Reset> resets;
  for (const Member& member : table.members) {
    const std::string name = symbolic::with_plain_greek(member.key);
    if (std::find(state.begin(), state.end(), name) == state.end())
      source.unknown(member.place, "entry of the state", member.key, state);
    resets.push_back({name, vocabulary.expression(member.value, role)});
  }
  return resets;
}

}  // namespace

Direction read_direction(const Source& source, const Value& value) {
  source.expect(value, Kind::string, "'direction'");
  if (value.text == "any") return Direction::any;
  if (value.text == "rising") return Direction::rising;
  if (value.text == "falling") return Direction::falling;
  source.unknown(value.place, "direction", value.text, {"any", "rising", "falling"});
}

void read_event(const Vocabulary& vocabulary, const Member& entry, const ExpressionRole& role,
                const std::vector<std::string>& state, mechanics::System& system) {
  const Source& source = vocabulary.source();
  mechanics::Event event;
  event.name = entry.key;
  if (entry.value.kind != Kind::table) {
    event.value = vocabulary.expression(entry.value, role);
    system.events.push_back(std::move(event));
    return;
  }
  const std::vector<std::string> known{"at", "direction", "stop", "set"};
  for (const Member& member : entry.value.members) {
    if (member.key == "at") {
      event.value = vocabulary.expression(member.value, role);
    } else if (member.key == "direction") {
      event.direction = read_direction(source, member.value);
    } else if (member.key == "stop") {
      source.expect(member.value, Kind::boolean, "'stop'");
      event.stop = member.value.flag;
    } else if (member.key == "set") {
      event.resets = read_resets(vocabulary, member.value, role, state);
    } else {
      source.unknown(member.place, "key", member.key, known);
    }
  }
  if (entry.value.find("at") == nullptr) {
    source.fail(entry.value.place, "the event " + in_quotes(entry.key) + " has no 'at'",
                "give the expression whose zeros it is: at = \"q\"");
  }
  if (!event.resets.empty()) require_free_columns(source, entry.place, entry.key, system);
  system.events.push_back(std::move(event));
}

void require_free_columns(const Source& source, Place place, const std::string& name, const mechanics::System& system) {
  for (const char* what : {"friction.", "contact.", "work.", "loss.", "drive."})
    for (const auto& observable : system.observables)
      if (observable.name == what + name)
        source.fail(place, "the observable " + in_quotes(observable.name) + " has the name of a column of this event",
                    "give one of them another name");
}

}  // namespace herglotz::io
