#include "facts.hpp"

#include "herglotz/control/methods.hpp"

namespace herglotz::solve {

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
  facts.t_end = solution.trajectory.columns.front().values.back();
  facts.complete = solution.status == Status::solved;
  facts.status = control::word_for(solution.status);
  facts.steps = solution.intervals;
  facts.newton_iterations = solution.iterations;
  facts.notes = solution.notes;
}

}  // namespace herglotz::solve
