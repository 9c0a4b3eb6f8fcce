#pragma once
/// Short ways to write a polynomial.

#include "simplify/polynomial.hpp"

namespace herglotz::symbolic {

/// The shortest found of: the plain sum, common numbers and factors in front, terms grouped by shared factors.
Expr collected(Ring& ring, const Polynomial& p);

}  // namespace herglotz::symbolic
