#include "herglotz/simulate/singular.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/mechanics/singular/reach.hpp"
#include "herglotz/simulate/check.hpp"
#include "herglotz/symbolic/dependence.hpp"
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

namespace {

std::optional<mechanics::SingularAnalysis> analysis_of(const mechanics::System& system,
                                                       const mechanics::Equations& equations,
                                                       const InitialState& initial) {
  const auto parameters = resolve_parameters(system, {});
  const auto start = start_values(equations, initial);
  if (system.formulation != mechanics::Formulation::lagrangian ||
      !mechanics::is_singular(system, equations, parameters, start))
    return std::nullopt;
  return mechanics::analyse_singular(system, parameters, start);
}

}  // namespace

std::optional<mechanics::SingularAnalysis> singular_analysis(const Problem& problem) {
  const auto& system = problem.system;
  const auto equations = mechanics::derive(system);
  if (system.constraints.equations.empty()) return analysis_of(system, equations, problem.initial);
  if (!mechanics::is_singular(system, equations, resolve_parameters(system, {}),
                              start_values(equations, problem.initial)))
    return std::nullopt;
  const auto reduced = with_independent_constraints(problem);
  return analysis_of(reduced, mechanics::derive(reduced), problem.initial);
}

std::optional<SingularMotion> singular_motion(const mechanics::System& system, const mechanics::Equations& equations,
                                              const InitialState& initial) {
  if (system.formulation != mechanics::Formulation::lagrangian) return std::nullopt;
  const auto parameters = resolve_parameters(system, {});
  const auto start = start_values(equations, initial);
  if (!mechanics::is_singular(system, equations, parameters, start)) return std::nullopt;
  SingularMotion motion;
  const auto& conditions = system.gauge.conditions;
  try {
    motion.analysis = mechanics::analyse_singular(system, parameters, start);
    if (motion.analysis.contradiction) {
      motion.why_not = {"the Lagrangian is singular, and " + mechanics::text_of(*motion.analysis.contradiction),
                        "change it"};
      return motion;
    }
    const auto& free = motion.analysis.undetermined;
    if (!conditions.empty() && conditions.size() != free.size())
      motion.why_not = {fmt::format("[gauge] has {} condition{}, and {} of the rates {} arbitrary", conditions.size(),
                                    conditions.size() == 1 ? "" : "s", free.size(), free.size() == 1 ? "is" : "are"),
                        "give one for each"};
    else if (!free.empty() && conditions.empty() && system.gauge.refuse)
      motion.why_not = fmt::format("the rate of {} is an arbitrary function of time, and [gauge] refuses to choose it",
                                   free.front().name());
    if (conditions.empty() || !motion.why_not.empty()) return motion;
    auto fixed = mechanics::analyse_singular(system, parameters, start, conditions);
    const std::size_t lost = fixed.consistent() ? motion.analysis.dim_final - fixed.dim_final : 0;
    if (!fixed.consistent())
      motion.why_not = "the conditions of [gauge] contradict the motion: " + mechanics::text_of(*fixed.contradiction);
    else if (!fixed.undetermined.empty())
      motion.why_not =
          fmt::format("the conditions of [gauge] leave the rate of {} undetermined", fixed.undetermined.front().name());
    else if (motion.analysis.dim_gauge_orbits && lost > *motion.analysis.dim_gauge_orbits)
      motion.why_not = fmt::format("the conditions of [gauge] take {} dimensions, but only {} are gauge", lost,
                                   *motion.analysis.dim_gauge_orbits);
    else
      motion.fixed = std::move(fixed);
  } catch (const mechanics::Undecided& undecided) {
    motion.why_not = {"the Lagrangian is singular, and its constraints are not decided: " + undecided.problem(),
                      undecided.remedy()};
  }
  return motion;
}

std::optional<Refused> needless_gauge(const mechanics::System& system) {
  if (system.gauge.conditions.empty()) return std::nullopt;
  return Refused("[gauge] has conditions, but the Lagrangian is regular: every rate is determined", "remove them",
                 "[gauge]");
}

std::string gauge_of(const mechanics::System& system, const SingularMotion& motion) {
  if (motion.analysis.undetermined.empty()) return {};
  if (system.gauge.conditions.empty()) return "least";
  std::string text;
  for (const auto& condition : system.gauge.conditions)
    text += fmt::format("{}{} = 0", text.empty() ? "" : ", ", symbolic::print(condition));
  return text;
}

std::optional<OffConstraint> off_final_set(const mechanics::System& system, const mechanics::Equations& equations,
                                           const mechanics::SingularAnalysis& analysis,
                                           const std::vector<double>& start, const std::vector<double>& parameters) {
  std::vector<double> point = start;
  point.insert(point.end(), parameters.begin(), parameters.end());
  const auto symbols = symbols_of(system, equations);
  std::optional<OffConstraint> worst;
  double largest = rounding;  // share below which a constraint holds
  for (std::size_t k = 0; k < analysis.constraints.size(); ++k) {
    const symbolic::Expr f = symbolic::substitute(analysis.constraints[k].expression, system.p, equations.p);
    const bool unknown = equations.rule == mechanics::Rule::nonholonomic && symbolic::depends_on_any(f, equations.l);
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

}  // namespace herglotz::simulate
