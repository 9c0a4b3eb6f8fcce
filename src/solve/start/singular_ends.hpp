#pragma once
/// Two-point problems of singular Lagrangians.

#include "herglotz/control/problem.hpp"

namespace herglotz::solve {

/// Throws if the Lagrangian of a two-point problem is singular, with the reason why its motions cannot be solved for:
/// Failed if it has no motion, or none from and to the given ends; Refused if the ends give
/// more conditions than the final set has dimensions, or if the minimum is not one motion with smooth rates. Other
/// problems pass.
void require_regular(const control::Problem& problem);

}  // namespace herglotz::solve
