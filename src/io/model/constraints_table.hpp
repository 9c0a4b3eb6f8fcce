#pragma once
/// The [constraints] table: equations that each say something, and what their multipliers may start from.

#include <string>
#include <string_view>
#include <vector>

#include "herglotz/mechanics/system.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads `rule` and `equations` and puts them on the system. Equations that hold for every state or use none of it,
/// that repeat an earlier one up to a constant factor, or that restrict the velocities more often than the rank allows
/// are errors at their places.
void read_constraints_table(const Vocabulary& vocabulary, const Value& table, const Role& role,
                            mechanics::System& system);

/// What is wrong, and what would be right, where a name is a multiplier that has no initial value; else empty.
struct Refusal {
  std::string what;
  std::string remedy;
};
Refusal refusal_of_multiplier(const mechanics::Constraints& constraints, std::string_view name);

/// The [gauge] table: what is done with rates that a singular Lagrangian leaves undetermined. Throws InputError.
void read_gauge_table(const Vocabulary& vocabulary, const Value& table, mechanics::System& system);

}  // namespace herglotz::io
