#pragma once
/// The tables of problems of boundary values and control: [control], [cost], [boundary], [guess], [mesh].

#include <optional>
#include <string>
#include <vector>

#include "herglotz/control/problem.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Whether the file states a problem that only `solve` can work on.
bool has_controls(const Value& document);
/// Whether [control] gives the kinematics, so that [dynamics] may be left out.
bool has_kinematics(const Value& document);
/// The name of the action of the cost.
std::string cost_action(const Source& source, const Value& document);
/// Claims the names of the controls.
std::vector<symbolic::Expr> claim_controls(Vocabulary& vocabulary, const Value& document);

/// Reads the tables, and [initial], around the system. `zeta` is the symbol of the cost's action.
control::Problem read_problem_tables(const Vocabulary& vocabulary, const Value& document, mechanics::System system,
                                     std::vector<symbolic::Expr> controls, symbolic::Expr zeta);

/// Keeps the discrete Lagrangian of [discrete] where a rule made it, with the rule.
void read_discrete_rule(const Value& table, std::optional<discrete::DiscreteLagrangian> made,
                        control::Problem& problem);

}  // namespace herglotz::io
