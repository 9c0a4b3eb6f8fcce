#pragma once
/// Where an expression vanishes: the factors of its numerator.

#include <vector>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// Expressions without common factors whose zero sets together are that of f, where f is defined: the distinct factors
/// of the numerator of f as a quotient of polynomials over the rationals in its symbols, functions and roots. Numbers
/// are left out, so that a number other than zero has no factors; that of zero is zero. Common factors, repeated ones
/// and those of polynomials that are quadratic in one variable are found, others stay together. The effort is bounded:
/// beyond it f itself is the only factor.
std::vector<Expr> factors_of_numerator(Expr f);

}  // namespace herglotz::symbolic
