#pragma once
/// Reading of the tables of boundary-value and control problems: [control], [cost], [boundary], [guess], [mesh].

#include <optional>
#include <string>
#include <vector>

#include "herglotz/control/problem.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Returns whether the file has [control], so that only `solve` can work on it.
bool has_controls(const Value& document);
/// Returns whether [control] gives the kinematics, so that [dynamics] may be left out.
bool has_kinematics(const Value& document);
/// Returns the name of the action of the cost, by default "zeta".
std::string cost_action(const Source& source, const Value& document);
/// Claims the names of the controls.
std::vector<symbolic::Expr> claim_controls(Vocabulary& vocabulary, const Value& document);

/// Reads the tables, and [initial], around the system. `zeta` is the symbol of the cost's action.
control::Problem read_problem_tables(const Vocabulary& vocabulary, const Value& document, mechanics::System system,
                                     std::vector<symbolic::Expr> controls, symbolic::Expr zeta);

/// Returns whether the file has [cost], [boundary], [guess] or [mesh].
bool has_problem_tables(const Value& document);
/// Throws InputError for a mistake in these tables of a model without [control]. Its [initial] is that of a motion, and
/// is not read.
void check_problem_tables(const Vocabulary& vocabulary, const Value& document, mechanics::System system);

/// Stores the discrete Lagrangian of [discrete] and its rule in the problem if a rule made it.
void read_discrete_rule(const Value& table, std::optional<discrete::DiscreteLagrangian> made,
                        control::Problem& problem);

/// Throws InputError if the document has a table that only runs read.
void refuse_tables_of_runs(const Source& source, const Value& document);

}  // namespace herglotz::io
