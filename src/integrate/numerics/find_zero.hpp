#pragma once
/// A zero of a function of one variable between two places where its signs differ.

#include <functional>

namespace herglotz::integrate {

/// A zero of f in [a, b] where f(a) and f(b) have opposite signs, to within `tolerance`: inverse quadratic
/// interpolation where that is safe, else bisection. T. R. Chandrupatla, Adv. Eng. Software 28 (1997).
double find_zero(const std::function<double(double)>& f, double a, double f_a, double b, double f_b, double tolerance);

}  // namespace herglotz::integrate
