#include "model/gauge_table.hpp"

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::io {
namespace {

constexpr Role condition{"a gauge condition", uses::parameter | uses::base | uses::fibre | uses::time,
                         "use base coordinates, velocities, time and parameters"};

void read_choice(const Source& source, const Value& value, std::string_view key, const std::vector<std::string>& known,
                 std::string& choice) {
  source.expect(value, Kind::string, "'" + std::string(key) + "'");
  for (const auto& name : known)
    if (value.text == name) {
      choice = name;
      return;
    }
  source.unknown(value.place, std::string(key), value.text, known);
}

}  // namespace

void read_gauge_table(const Vocabulary& vocabulary, const Value& table, mechanics::System& system) {
  const Source& source = vocabulary.source();
  std::string choose = "least";
  std::string branch = "nearest";
  for (const Member& member : table.members) {
    if (member.key == "conditions") {
      source.expect(member.value, Kind::array, "'conditions'");
      for (const Value& value : member.value.items)
        system.gauge.conditions.push_back(symbolic::expand_lets(vocabulary.expression(value, condition)));
    } else if (member.key == "choose") {
      read_choice(source, member.value, "choice", {"least", "refuse"}, choose);
    } else if (member.key == "branch") {
      read_choice(source, member.value, "branch", {"nearest"}, branch);
    } else {
      source.unknown(member.place, "key", member.key, {"conditions", "choose", "branch"});
    }
  }
  system.gauge.refuse = choose == "refuse";
  const Member* chosen = table.find("choose");
  if (chosen != nullptr && !system.gauge.conditions.empty())
    source.fail(chosen->place, "both 'conditions' and 'choose' are given", "keep one of them");
}

}  // namespace herglotz::io
