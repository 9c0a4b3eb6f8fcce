#pragma once
/// Reading of the [constraints] table, and of the [gauge] table.

#include <string>
#include <string_view>
#include <vector>

#include "herglotz/mechanics/system.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads `rule` and `equations` into the system. Throws InputError at the place of an equation that holds for every
/// state, that does not depend on the state, that repeats an earlier equation up to a constant factor, or that
/// restricts the velocities more often than the rank allows.
void read_constraints_table(const Vocabulary& vocabulary, const Value& table, const ExpressionRole& role,
                            mechanics::System& system);

/// Reads the list of equations alone. `title` is the table that has it.
void read_constraint_equations(const Vocabulary& vocabulary, const Value& equations, std::string_view title,
                               mechanics::Rule rule, const ExpressionRole& role, mechanics::System& system);

/// Reason why a name is refused as a multiplier with an initial value, and the remedy; both are empty if it is not
/// refused.
struct Refusal {
  std::string what;
  std::string remedy;
};
Refusal refusal_of_multiplier(const mechanics::Constraints& constraints, std::string_view name);

/// Reads the [gauge] table, which chooses the rates that a singular Lagrangian leaves undetermined. Throws InputError.
void read_gauge_table(const Vocabulary& vocabulary, const Value& table, mechanics::System& system);

}  // namespace herglotz::io
