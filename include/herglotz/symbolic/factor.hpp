#pragma once
/// The zeros of an expression as the factors of its numerator.

#include <vector>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// Returns expressions without common factors whose zero sets together are the zero set of f, where f is defined: the
/// distinct factors of the numerator of f as a quotient of polynomials over the rationals in its symbols, functions and
/// roots. Numbers are left out, so that a number other than zero has no factors; the factor of zero is zero. Common
/// factors, repeated factors and factors of polynomials that are quadratic in one variable are found; other factors
/// stay together. The effort is bounded: if it does not suffice, f itself is the only factor.
std::vector<Expr> factors_of_numerator(Expr f);

}  // namespace herglotz::symbolic
