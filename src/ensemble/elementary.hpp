#pragma once
/// Exponential and logarithm that are the same bits wherever long double is: made of exactly rounded operations alone.

namespace herglotz::ensemble {

/// e^x, within a few units in the last place of a long double.
long double exponential(long double x);
/// The natural logarithm of x > 0, likewise.
long double logarithm(long double x);

}  // namespace herglotz::ensemble
