#pragma once
/// Numbers that describe a path: its cost, and the share of the cost in its costates.

#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns (v(0), v(T), T), the variables of the functions of the ends.
Values end_point(const Path& path);
/// Returns zeta(T) + m.
double cost_of(const Setup& setup, const Path& path);

/// Returns R/|(P, R)| at the end, which is 0 on abnormal extremals.
double price_share(const Setup& setup, const Path& path);
/// Returns the same share of costates in units in which each state changes by 1 along the path, so that it does not
/// depend on the units of the model. States that hardly change have the unit of the one that changes most.
double scaled_price_share(const Setup& setup, const Path& path);

}  // namespace herglotz::solve
