#include "herglotz/simulate/singular.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/simulate/check.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/magnitude.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "settings.hpp"

namespace herglotz::simulate {
namespace {

std::vector<symbolic::Expr> symbols_of(const mechanics::System& system, const mechanics::Equations& equations) {
  std::vector<symbolic::Expr> symbols = equations.u;
  symbols.insert(symbols.end(), equations.l.begin(), equations.l.end());
  for (const auto& parameter : system.parameters) symbols.push_back(parameter.symbol);
  return symbols;
}

}  // namespace

std::vector<double> start_values(const mechanics::Equations& equations, const InitialState& initial) {
  std::vector<double> values;
  for (const auto* symbols : {&equations.u, &equations.l})
    for (const auto& symbol : *symbols) {
      const auto given = initial.find(symbol.name());
      values.push_back(given == initial.end() ? 0.0 : given->second);
    }
  return values;
}

std::optional<mechanics::SingularAnalysis> singular_analysis(const mechanics::System& system,
                                                             const mechanics::Equations& equations,
                                                             const InitialState& initial) {
  if (system.formulation != mechanics::Formulation::lagrangian) return std::nullopt;
  const auto parameters = resolve_parameters(system, {});
  const auto start = start_values(equations, initial);
  if (!mechanics::is_singular(system, equations, parameters, start)) return std::nullopt;
  return mechanics::analyse_singular(system, parameters, start);
}

std::optional<mechanics::SingularAnalysis> singular_analysis(const Problem& problem) {
  const auto& system = problem.system;
  const auto equations = mechanics::derive(system);
  if (system.constraints.equations.empty()) return singular_analysis(system, equations, problem.initial);
  if (!mechanics::is_singular(system, equations, resolve_parameters(system, {}),
                              start_values(equations, problem.initial)))
    return std::nullopt;
  const auto reduced = with_independent_constraints(problem);
  return singular_analysis(reduced, mechanics::derive(reduced), problem.initial);
}

std::optional<OffConstraint> off_final_set(const mechanics::System& system, const mechanics::Equations& equations,
                                           const mechanics::SingularAnalysis& analysis,
                                           const std::vector<double>& start) {
  std::vector<double> point = start;
  for (const double value : resolve_parameters(system, {})) point.push_back(value);
  const auto symbols = symbols_of(system, equations);
  std::optional<OffConstraint> worst;
  double largest = rounding;  // of a check
  for (std::size_t k = 0; k < analysis.constraints.size(); ++k) {
    const symbolic::Expr f = symbolic::substitute(analysis.constraints[k].expression, system.p, equations.p);
    const bool unknown =
        equations.rule == mechanics::Rule::nonholonomic &&
        std::any_of(equations.l.begin(), equations.l.end(), [&](const auto& l) { return symbolic::depends_on(f, l); });
    if (unknown || f.is_zero()) continue;
    const symbolic::Expr both[] = {f, symbolic::magnitude(f)};
    const auto v = symbolic::evaluate(both, symbols, point);
    const double share = std::abs(v[0]) / std::max(1.0, v[1]);
    if (share <= largest) continue;
    largest = std::isfinite(share) ? share : std::numeric_limits<double>::max();
    worst = OffConstraint{k, v[0]};
  }
  return worst;
}

std::string text_of(const mechanics::SingularAnalysis& analysis, const OffConstraint& off) {
  const auto& constraint = analysis.constraints[off.index];
  return fmt::format("constraint {} (level {}), {} = 0, is {:.6g} at the start", off.index + 1, constraint.level,
                     symbolic::print(symbolic::simplify(constraint.expression)), off.value);
}

std::string text_of(const mechanics::Contradiction& contradiction) {
  const bool number = contradiction.expression.is_number();
  return fmt::format("its equations have no solution: level {} of its constraints demands {} = 0{}",
                     contradiction.level, symbolic::print(contradiction.expression),
                     number ? "" : fmt::format(", which is {:.6g} near the start", contradiction.value));
}

}  // namespace herglotz::simulate
