#include "outputs/latex_table.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "herglotz/symbolic/latex_symbol.hpp"
#include "quote.hpp"

namespace herglotz::io {

void read_latex_table(const Vocabulary& vocabulary, const Value& table, mechanics::System& system) {
  const Source& source = vocabulary.source();
  std::vector<std::string> known{"energy", std::string(system.z.name()), std::string(system.t.name())};
  const mechanics::System& named = system;
  for (const auto* group :
       {&named.algebroid.x, &named.algebroid.y, &named.p, &named.definitions, &named.constraints.multipliers})
    for (const symbolic::Expr& name : *group) known.emplace_back(name.name());
  for (const mechanics::Parameter& parameter : named.parameters) known.emplace_back(parameter.symbol.name());
  for (const Member& member : table.members) {
    if (std::find(known.begin(), known.end(), member.key) == known.end())
      source.unknown(member.place, "name", member.key, known);
    const Value& value = member.value;
    source.expect(value, Kind::string, "the LaTeX name of " + in_quotes(member.key));
    if (const auto defect = symbolic::defect_of_latex(value.text))
      source.fail(place_inside(source.text(), value, 1, defect->at + 1), defect->what, defect->remedy);
    for (const auto& [other, text] : system.latex)
      if (text == value.text)
        source.fail(value.place, in_quotes(member.key) + " is typeset as " + in_quotes(other) + " is",
                    "give one of them another LaTeX name");
    system.latex.emplace(member.key, value.text);
  }
}

}  // namespace herglotz::io
