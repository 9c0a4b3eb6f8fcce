#pragma once
/// Systems whose kinematics are rates of given states.

#include <vector>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::control {

/// Returns a system with the states as base and their rates as fibre coordinates, `rate(<state>)`. Its name, time and
/// parameters are those of `of`, in whose graph it is; its Lagrangian is 0.
mechanics::System system_of_states(const mechanics::System& of, const std::vector<symbolic::Expr>& states);

}  // namespace herglotz::control
