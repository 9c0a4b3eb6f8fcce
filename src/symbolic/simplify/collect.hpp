#pragma once
/// Short ways to write a polynomial.

#include "simplify/polynomial.hpp"

namespace herglotz::symbolic {

/// Returns the shortest of the plain sum, the sum with common numbers and factors in front, and terms grouped by shared
/// factors.
Expr collected(Ring& ring, const Polynomial& p);

}  // namespace herglotz::symbolic
