#pragma once
/// Sizes of the states, variables and times of a problem, before it is solved and after. Theory: docs/solve.md, Scales.

#include "scale/units.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns the sizes that a problem has by its end values, bounds and guess. What these leave open follows from the
/// rates: sizes are chosen such that the terms of each rate are as equal as they can be, in the sense of least squares
/// of logarithms [CR72]. In other units of the model the sizes are the same quantities, up to a factor of two: they are
/// powers of two, so that they round nothing.
Units sizes_of(const Setup& setup);

/// What is smaller along a path, in parts of its size, keeps its size: along a solution, and along a path that may be
/// far from one because its units are too large.
inline constexpr double hardly = 1e-6;
inline constexpr double hardly_if_far = 1e-12;

/// Returns the sizes of the states, variables and times along a path in the units of the setup; what is smaller than
/// `least` keeps the size 1. A control in which H is linear has the size of its bounds, and where controls have bounds
/// the terminal cost counts too: interior points do not move controls whose cost is small in its unit.
Units sizes_along(const Setup& setup, const Path& path, double least);

}  // namespace herglotz::solve
