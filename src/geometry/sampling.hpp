#pragma once
/// Whether an expression vanishes, judged at random points.

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::geometry {

/// True when f is zero, up to the round-off of its terms, at every sample point where it is finite. Not finite at any:
/// false.
bool vanishes(symbolic::Expr f);

}  // namespace herglotz::geometry
