#pragma once
/// Extremals whose controls the maximum condition does not determine.

#include <optional>

#include "herglotz/control/problem.hpp"
#include "herglotz/mechanics/singular.hpp"

namespace herglotz::control {

/// The constraint algorithm for the normal extremals of a problem of control inside all its bounds: the implicit
/// equations of (x, p, zeta) with 0 = H_u, H = p f - ell, where in mechanics x and p have velocities and the mechanical
/// action too, and accelerations are eliminated. The final set is that of singular arcs: its levels after the first are
/// the rates of H_u. Conditions at the ends are not among the equations, nor is H = 0 of a free duration; only the
/// costate of a mechanical action that nothing depends on is 0. The start is that of the problem, with generic
/// costates. `std::nullopt` if H_uu is regular there, and for two-point problems. Throws mechanics::Undecided.
std::optional<mechanics::SingularAnalysis> singular_extremals(const Problem& problem);

}  // namespace herglotz::control
