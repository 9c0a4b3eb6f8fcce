#pragma once
/// Singular arcs: the rates of the switching function of a control in which the Hamiltonian is linear.

#include <cstddef>

#include "herglotz/control/first_order.hpp"

namespace herglotz::control {

/// Returns the programs of (dS/dt, d^2 S/dt^2) with S = dK/du for one control u along the extremals of a kinematic
/// problem, and of their derivatives, by (v, w, t, P); the other controls are constant. There are no second
/// derivatives. On an arc of order 1, S = 0 and dS/dt = 0 hold, and d^2 S/dt^2 = 0 determines u. Throws
/// Refused if it does not contain u.
StagePrograms singular_programs(const Problem& problem, const FirstOrder& form, std::size_t control);

}  // namespace herglotz::control
