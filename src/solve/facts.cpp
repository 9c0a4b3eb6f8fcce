#include "facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "herglotz/control/methods.hpp"

namespace herglotz::solve {
namespace {

/// Returns the times that are not between the first and the last one, beyond rounding.
std::vector<double> times_beyond(const std::vector<double>& times, double first, double last) {
  const double tiny = 1e-12 * (last - first);
  std::vector<double> beyond;
  for (const double t : times)
    if (t < first - tiny || t > last + tiny) beyond.push_back(t);
  return beyond;
}

}  // namespace

void state_problem(const control::Problem& problem, analyse::RunFacts& facts) {
  const auto& system = problem.system;
  facts.model_name = system.name;
  facts.title = system.title;
  facts.reference = system.reference;
  facts.model_text = problem.text;
  for (const auto& parameter : system.parameters)
    facts.parameters.emplace_back(parameter.symbol.name(), parameter.value);
  facts.tolerance = problem.settings.tolerance;
  facts.version = HERGLOTZ_VERSION;
}

void state_facts(const control::Problem& problem, Solution& solution) {
  auto& facts = solution.trajectory.facts;
  if (solution.status == Status::solved && control::has_constant_cost(problem))
    solution.reason =
        "the conditions hold; the cost is the same for every path that meets them, so that none is the best";
  state_problem(problem, facts);
  facts.method = solution.method;
  for (const control::Method& method : control::methods())
    if (method.name == solution.method) facts.order = method.order;
  const auto& times = solution.trajectory.columns.front().values;
  facts.t_end = times.back();
  if (const auto beyond = times_beyond(problem.settings.output_times, times.front(), times.back()); !beyond.empty())
    solution.notes.push_back(
        fmt::format("output_times of [mesh] outside the path, which have no rows: {:.6g}; it ends at {:.6g}",
                    fmt::join(beyond, ", "), times.back()));
  facts.steps = solution.intervals;
  facts.newton_iterations = solution.iterations;
  state_outcome(solution);
}

void state_outcome(Solution& solution) {
  auto& facts = solution.trajectory.facts;
  facts.complete = solution.status == Status::solved;
  facts.status = control::word_for(solution.status);
  facts.notes = solution.notes;
}

}  // namespace herglotz::solve
