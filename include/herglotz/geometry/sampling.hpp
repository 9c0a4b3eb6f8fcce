#pragma once
/// Test for expressions that vanish, at random points.

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::geometry {

/// Returns true if f is zero, up to the round-off of its terms, at every sample point at which it is finite. Returns
/// false if f is finite at none.
bool vanishes(symbolic::Expr f);

}  // namespace herglotz::geometry
