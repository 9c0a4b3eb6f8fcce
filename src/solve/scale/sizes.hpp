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

/// Returns the sizes of the states, variables and times along a path in the units of the setup. What hardly differs
/// from zero keeps the size 1.
Units sizes_along(const Setup& setup, const Path& path);

}  // namespace herglotz::solve
