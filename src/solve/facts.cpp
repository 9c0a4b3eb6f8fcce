#include "facts.hpp"

#include "herglotz/control/methods.hpp"

namespace herglotz::solve {

void state_facts(const control::Problem& problem, Solution& solution) {
  auto& facts = solution.trajectory.facts;
  const auto& system = problem.system;
  facts.model_name = system.name;
  facts.title = system.title;
  facts.reference = system.reference;
  facts.model_text = problem.text;
  for (const auto& parameter : system.parameters)
    facts.parameters.emplace_back(parameter.symbol.name(), parameter.value);
  facts.method = solution.method;
  for (const control::Method& method : control::methods())
    if (method.name == solution.method) facts.order = method.order;
  facts.tolerance = problem.settings.tolerance;
  facts.t_end = solution.trajectory.columns.front().values.back();
  facts.complete = solution.status == Status::solved;
  facts.status = control::word_for(solution.status);
  facts.version = HERGLOTZ_VERSION;
  facts.steps = solution.intervals;
  facts.newton_iterations = solution.iterations;
  facts.notes = solution.notes;
}

}  // namespace herglotz::solve
