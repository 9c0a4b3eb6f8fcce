#include "present/shared.hpp"

namespace herglotz::mechanics {

Shared share(const Presentation& presentation, symbolic::Format format) {
  Shared shared{{}, presentation.definitions, {}};
  for (const Section& section : presentation.sections) {
    const bool typeset = format == symbolic::Format::latex && !section.typeset.empty();
    shared.sections.push_back({section.title, typeset ? section.typeset : section.equations, {}});
  }
  std::vector<Expr> all;
  const auto each = [&](auto&& visit) {
    for (Section& section : shared.sections)
      for (PrintedEquation& equation : section.equations) {
        visit(equation.left);
        visit(equation.right);
      }
  };
  each([&](Expr e) { all.push_back(e); });
  if (all.empty()) return shared;
  auto named = symbolic::common_subexpressions(all);
  shared.where = std::move(named.where);
  std::size_t next = 0;
  each([&](Expr& e) { e = named.expressions[next++]; });
  return shared;
}

}  // namespace herglotz::mechanics
