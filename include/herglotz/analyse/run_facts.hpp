#pragma once
/// The facts of a run under their names in files and JSON.

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::analyse {

/// Calls `visit(name, fact)` for every fact, in the order of files. `Facts` is RunFacts, const or not. A list of names
/// with numbers becomes two attributes, such as `parameter_names` and `parameter_values`.
template <class Facts, class Visit>
void for_each_fact(Facts& facts, const Visit& visit) {
  visit("version", facts.version);
  visit("model_name", facts.model_name);
  visit("title", facts.title);
  visit("reference", facts.reference);
  visit("model", facts.model_text);
  visit("parameter", facts.parameters);
  visit("initial", facts.initial);
  visit("gauge", facts.gauge);
  visit("method", facts.method);
  visit("method_reason", facts.method_reason);
  visit("order", facts.order);
  visit("step", facts.step);
  visit("tolerance", facts.tolerance);
  visit("t_end", facts.t_end);
  visit("status", facts.status);
  visit("complete", facts.complete);
  visit("wall_seconds", facts.wall_seconds);
  visit("steps", facts.steps);
  visit("rejected_steps", facts.rejected_steps);
  visit("newton_iterations", facts.newton_iterations);
  visit("largest_energy_residual", facts.largest_energy_residual);
  visit("largest_momentum_residual", facts.largest_momentum_residuals);
  visit("largest_dissipated_residual", facts.largest_dissipated_residuals);
  visit("at_round_off", facts.at_round_off);
  visit("largest_invariant", facts.largest_invariants);
  visit("largest_constraint_residual", facts.largest_constraint_residual);
  visit("notes", facts.notes);
  visit("equations_latex", facts.equations_latex);
}

}  // namespace herglotz::analyse
