#pragma once
/// Exponential and logarithm made of correctly rounded operations only, so that machines with the same long double give
/// the same bits.

namespace herglotz::ensemble {

/// Returns e^x, within a few units in the last place of a long double.
long double exponential(long double x);
/// Returns the natural logarithm of x > 0, within a few units in the last place of a long double.
long double logarithm(long double x);

}  // namespace herglotz::ensemble
