#pragma once
/// Search for a zero of a function of one variable between two places where its signs differ.

#include <functional>

namespace herglotz::integrate {

/// Returns a zero of f in [a, b] to within `tolerance`; f(a) and f(b) must have opposite signs. The method is inverse
/// quadratic interpolation if that is safe, and bisection otherwise. T. R. Chandrupatla, Adv. Eng. Software 28 (1997).
double find_zero(const std::function<double(double)>& f, double a, double f_a, double b, double f_b, double tolerance);

}  // namespace herglotz::integrate
