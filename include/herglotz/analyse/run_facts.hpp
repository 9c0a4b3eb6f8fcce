#pragma once
/// The facts of a run under their names in files and in code.

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::analyse {

/// Calls `visit(name, member, fact)` for every fact, in the order of files: with its name in trajectory files and JSON,
/// and that of its member of RunFacts, which Python and pages use too. `Facts` is RunFacts, const or not.
template <class Facts, class Visit>
void for_each_named_fact(Facts& facts, const Visit& visit) {
  visit("version", "version", facts.version);
  visit("model_name", "model_name", facts.model_name);
  visit("title", "title", facts.title);
  visit("reference", "reference", facts.reference);
  visit("model", "model_text", facts.model_text);
  visit("parameter", "parameters", facts.parameters);
  visit("initial", "initial", facts.initial);
  visit("gauge", "gauge", facts.gauge);
  visit("method", "method", facts.method);
  visit("method_reason", "method_reason", facts.method_reason);
  visit("order", "order", facts.order);
  visit("step", "step", facts.step);
  visit("tolerance", "tolerance", facts.tolerance);
  visit("t_end", "t_end", facts.t_end);
  visit("status", "status", facts.status);
  visit("complete", "complete", facts.complete);
  visit("wall_seconds", "wall_seconds", facts.wall_seconds);
  visit("steps", "steps", facts.steps);
  visit("rejected_steps", "rejected_steps", facts.rejected_steps);
  visit("newton_iterations", "newton_iterations", facts.newton_iterations);
  visit("largest_energy_residual", "largest_energy_residual", facts.largest_energy_residual);
  visit("largest_momentum_residual", "largest_momentum_residuals", facts.largest_momentum_residuals);
  visit("largest_dissipated_residual", "largest_dissipated_residuals", facts.largest_dissipated_residuals);
  visit("at_round_off", "at_round_off", facts.at_round_off);
  visit("largest_invariant", "largest_invariants", facts.largest_invariants);
  visit("largest_constraint_residual", "largest_constraint_residual", facts.largest_constraint_residual);
  visit("notes", "notes", facts.notes);
  visit("equations_latex", "equations_latex", facts.equations_latex);
}

/// Calls `visit(name, fact)` for every fact with its name in files. A list of names with numbers becomes two attributes
/// there, such as `parameter_names` and `parameter_values`.
template <class Facts, class Visit>
void for_each_fact(Facts& facts, const Visit& visit) {
  for_each_named_fact(facts, [&](const char* name, const char*, auto& fact) { visit(name, fact); });
}

/// Calls `visit(member, fact)` for every fact with the name of its member.
template <class Facts, class Visit>
void for_each_member(Facts& facts, const Visit& visit) {
  for_each_named_fact(facts, [&](const char*, const char* member, auto& fact) { visit(member, fact); });
}

/// Returns the largest residual of each law with the name of the column of its residuals, in the order of columns.
std::vector<std::pair<std::string, double>> largest_residuals(const RunFacts& facts);

}  // namespace herglotz::analyse
