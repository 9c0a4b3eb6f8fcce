#pragma once
/// The restriction of velocities by one constraint.

#include <vector>

#include "herglotz/mechanics/constraints.hpp"

namespace herglotz::mechanics {

/// Returns what `velocity_constraint` does, for the velocity x_dot of the base and the rate L of the action without
/// constraints, which are the same for all constraints of a system.
Expr velocity_row(const System& system, Expr equation, const std::vector<Expr>& x_dot, Expr L);

}  // namespace herglotz::mechanics
