#pragma once
/// Trigonometric and hyperbolic identities on polynomials.

#include "simplify/polynomial.hpp"

namespace herglotz::symbolic {

/// Applies sin^2 + cos^2 = 1 and cosh^2 - sinh^2 = 1, angle by angle, in the direction that shortens, if any does.
Polynomial with_pythagoras(Ring& ring, const Polynomial& p);
/// Applies sin a cos b +- cos a sin b = sin(a +- b) and cos a cos b -+ sin a sin b = cos(a +- b), also with common
/// factors.
Polynomial with_sums_of_angles(Ring& ring, const Polynomial& p);
/// Applies 2 sin a cos a = sin 2a.
Polynomial with_double_angles(Ring& ring, const Polynomial& p);
/// Cancels denominators that divide the sum of their numerators; the other denominators are brought together.
Polynomial with_cancelled_denominators(Ring& ring, const Polynomial& p);

/// Returns the atom op(argument) and its sign. Odd and even functions are brought to one sign of the argument. A new
/// atom is printed as `shown`, if that is given and the sign stays.
std::pair<std::uint32_t, bool> function_atom(Ring& ring, Op op, const Polynomial& argument,
                                             std::optional<Expr> shown = std::nullopt);

}  // namespace herglotz::symbolic
