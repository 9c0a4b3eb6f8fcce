#include "herglotz/simulate/reduce.hpp"

#include "carried.hpp"
#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/simulate/singular.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::simulate {

ReducedProblem reduce_by_constraints(const Problem& problem, const std::vector<std::string>& fibre) {
  if (problem.discrete) throw Refused("a model with [discrete] is not reduced by constraints", "remove that table");
  mechanics::require_no_friction(problem.system, "a reduction");
  auto reduction = mechanics::reduce_by_constraints(problem.system, problem.initial, fibre);
  ReducedProblem result{{std::move(reduction.system), {}, problem.settings, {}, std::nullopt}, {}};
  result.left_out = std::move(reduction.left_out);
  const auto coordinates = std::move(reduction.coordinates);
  if (!problem.settings.columns.empty()) result.left_out.emplace_back(columns_are_new);
  result.problem.settings = carried(problem.settings);
  // No run follows a singular Lagrangian with its constraints: there, runs of the reduced system project the start.
  const bool projected_later = problem.settings.project && singular_analysis(problem).has_value();
  result.problem.settings.project = projected_later;
  const InitialState start = projected_later ? problem.initial : full_start(problem);
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

}  // namespace herglotz::simulate
