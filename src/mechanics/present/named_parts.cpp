#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::mechanics {

NamedParts name_parts(const Presentation& presentation, symbolic::Format format) {
  NamedParts parts{{}, presentation.definitions, {}};
  for (const PrintedSection& section : presentation.sections) {
    const bool typeset = format == symbolic::Format::latex && !section.typeset.empty();
    parts.sections.push_back({section.title, typeset ? section.typeset : section.equations, {}});
  }
  std::vector<Expr> all;
  const auto each = [&](auto&& visit) {
    for (PrintedSection& section : parts.sections)
      for (PrintedEquation& equation : section.equations) {
        visit(equation.left);
        visit(equation.right);
      }
  };
  each([&](Expr e) { all.push_back(e); });
  if (all.empty()) return parts;
  auto named = symbolic::common_subexpressions(all);
  parts.where = std::move(named.where);
  std::size_t next = 0;
  each([&](Expr& e) { e = named.expressions[next++]; });
  return parts;
}

}  // namespace herglotz::mechanics
