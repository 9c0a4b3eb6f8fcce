#include "herglotz/simulate/reduce.hpp"

#include "carried.hpp"
#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/simulate/singular.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::simulate {

namespace {

/// Reduces a problem; `stays` is the coordinate along the line of homogenised constraints, or empty.
ReducedProblem reduced_by_linear(const Problem& problem, const std::vector<std::string>& fibre,
                                 const InitialState& start, const std::string& stays);

/// Reduces a problem with affine constraints, or with such that depend on time: the velocities along A = e_0 + v(A),
/// with pace = 1 as a constraint.
ReducedProblem reduced_by_affine(const Problem& problem, mechanics::Homogenised homogenised,
                                 const std::vector<std::string>& fibre) {
  const std::string pace(homogenised.pace.name());
  Problem on_line = problem;
  on_line.system = std::move(homogenised.system);
  on_line.settings.project = false;
  std::vector<std::string> kept = fibre;
  if (!kept.empty()) kept.push_back(pace);
  InitialState start = full_start(problem);
  start[pace] = 1;
  if (homogenised.clock.valid()) {
    const auto t0 = start.find(problem.system.t.name());
    const std::string clock(homogenised.clock.name());
    on_line.initial[clock] = start[clock] = t0 == start.end() ? 0.0 : t0->second;
  }
  ReducedProblem result = reduced_by_linear(on_line, kept, start, pace);
  mechanics::System& reduced = result.problem.system;
  mechanics::constrain(reduced, mechanics::Rule::nonholonomic,
                       {homogenised.clock.valid() ? homogenised.clock - reduced.t
                                                  : homogenised.pace - reduced.graph().number(std::int64_t{1})});
  return result;
}

}  // namespace

ReducedProblem reduce_by_constraints(const Problem& problem, const std::vector<std::string>& fibre) {
  if (problem.discrete) throw Refused("a model with [discrete] is not reduced by constraints", "remove that table");
  mechanics::require_no_friction(problem.system, "a reduction");
  if (auto homogenised = mechanics::homogenised(problem.system))
    return reduced_by_affine(problem, std::move(*homogenised), fibre);
  // No run follows a singular Lagrangian with its constraints: there, runs of the reduced system project the start.
  const bool projected_later = problem.settings.project && singular_analysis(problem).has_value();
  ReducedProblem result =
      reduced_by_linear(problem, fibre, projected_later ? problem.initial : full_start(problem), {});
  result.problem.settings.project = projected_later;
  return result;
}

namespace {

ReducedProblem reduced_by_linear(const Problem& problem, const std::vector<std::string>& fibre,
                                 const InitialState& start, const std::string& stays) {
  auto reduction = mechanics::reduce_by_constraints(problem.system, problem.initial, fibre, stays);
  ReducedProblem result{{std::move(reduction.system), {}, problem.settings, {}, std::nullopt}, {}};
  result.left_out = std::move(reduction.left_out);
  const auto coordinates = std::move(reduction.coordinates);
  if (!problem.settings.columns.empty()) result.left_out.emplace_back(columns_are_new);
  result.problem.settings = carried(problem.settings);
  result.problem.settings.project = false;
  const auto& reduced = result.problem.system;
  auto& initial = result.problem.initial;
  const auto value = [&](const symbolic::Expr& symbol) {
    const auto given = start.find(symbol.name());
    return given == start.end() ? 0.0 : given->second;
  };
  std::vector<symbolic::Expr> symbols = problem.system.algebroid.x;
  for (const auto& symbol : symbols)
    if (start.contains(symbol.name())) initial[std::string(symbol.name())] = value(symbol);
  for (const auto& symbol : {reduced.z, reduced.t})
    if (start.contains(symbol.name())) initial[std::string(symbol.name())] = value(symbol);
  if (start.empty()) return result;
  std::vector<double> values;
  for (const auto& x : symbols) values.push_back(value(x));
  for (const auto& parameter : problem.system.parameters) {
    symbols.push_back(parameter.symbol);
    values.push_back(parameter.value);
  }
  const auto K = symbolic::evaluate(coordinates.entries, symbols, values);
  for (std::size_t a = 0; a < reduced.r(); ++a) {
    double y = 0;
    for (std::size_t b = 0; b < problem.system.r(); ++b)
      y += K[a * problem.system.r() + b] * value(problem.system.algebroid.y[b]);
    initial[std::string(reduced.algebroid.y[a].name())] = y;
  }
  return result;
}

}  // namespace

}  // namespace herglotz::simulate
