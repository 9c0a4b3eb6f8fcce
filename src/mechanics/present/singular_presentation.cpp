#include "herglotz/mechanics/singular_presentation.hpp"

#include <string>

#include "present/notation.hpp"
#include "shorten/readable.hpp"

namespace herglotz::mechanics {
namespace {

PrintedSection section_of(std::string title, const std::vector<Expr>& left, const std::vector<Expr>& right) {
  PrintedSection section{std::move(title), {}, {}};
  for (std::size_t i = 0; i < left.size(); ++i) section.equations.push_back({left[i], right[i]});
  return section;
}

}  // namespace

void add_constraint_levels(Presentation& presentation, const System& system, const SingularAnalysis& analysis) {
  const Reader read(system);
  const Expr zero = system.graph().number(std::int64_t{0});
  for (std::size_t level = 1; level <= analysis.levels(); ++level) {
    std::vector<Expr> rows;
    for (const LevelConstraint& constraint : analysis.constraints)
      if (constraint.level == level) rows.push_back(with_plain_signs(read(constraint.expression)));
    if (!rows.empty())
      presentation.sections.push_back(
          section_of("Constraints of the singular Lagrangian, level " + std::to_string(level), rows,
                     std::vector<Expr>(rows.size(), zero)));
  }
  if (analysis.contradiction)
    presentation.sections.push_back(
        section_of("Contradiction at level " + std::to_string(analysis.contradiction->level),
                   {with_plain_signs(read(analysis.contradiction->expression))}, {zero}));
}

Presentation implicit_equations(const System& system) {
  const ImplicitSystem q = implicit_system(system);
  const Reader read(system);
  NotationTable notation(system);
  const std::size_t n = system.n();
  const std::size_t r = system.r();
  std::vector<Expr> rates;
  std::vector<Expr> right;
  for (std::size_t i = 0; i < q.v.size(); ++i) {
    rates.push_back(notation.rate(q.v[i]));
    right.push_back(with_plain_signs(read(q.X[i])));
  }
  right.back() = system.generator;  // a Lagrangian is printed as its author wrote it
  const auto part = [](const std::vector<Expr>& all, std::size_t first, std::size_t count) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    return std::vector<Expr>(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  Presentation presentation;
  presentation.title = system.title.empty() ? system.name : system.title;
  for (const Expr& definition : system.definitions)
    presentation.definitions.push_back({definition, definition.child(0)});
  const auto add = [&](PrintedSection section) {
    if (!section.equations.empty()) presentation.sections.push_back(std::move(section));
  };
  add(section_of("Kinematics", part(rates, 0, n), part(right, 0, n)));
  add(section_of("Momentum equations", part(rates, n, r), part(right, n, r)));
  add(section_of("Action", {rates.back()}, {right.back()}));
  std::vector<Expr> momenta;
  for (std::size_t a = 0; a < r; ++a) momenta.push_back(with_plain_signs(read(system.p[a] - q.g[a])));
  add(section_of("Legendre map", system.p, momenta));
  std::vector<Expr> constraints;
  for (std::size_t k = r; k < q.g.size(); ++k) constraints.push_back(with_plain_signs(read(q.g[k])));
  add(section_of("Constraints", constraints,
                 std::vector<Expr>(constraints.size(), system.graph().number(std::int64_t{0}))));
  presentation.notation = notation.entries();
  return presentation;
}

}  // namespace herglotz::mechanics
