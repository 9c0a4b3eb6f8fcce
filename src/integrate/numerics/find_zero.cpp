#include "herglotz/integrate/numerics/find_zero.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::integrate {

double find_zero(const std::function<double(double)>& f, double a, double f_a, double b, double f_b, double tolerance) {
  if (f_a == 0) return a;
  if (f_b == 0) return b;
  double c = a;
  double f_c = f_a;
  double share = 0.5;
  for (;;) {
    const double x = a + share * (b - a);
    const double f_x = f(x);
    if ((f_x > 0) == (f_a > 0) && f_x != 0) {
      c = a;
      f_c = f_a;
    } else {
      c = b;
      f_c = f_b;
      b = a;
      f_b = f_a;
    }
    a = x;
    f_a = f_x;
    const bool first = std::abs(f_a) < std::abs(f_b);
    const double best = first ? a : b;
    const double least = tolerance / std::abs(b - a);
    if (least > 0.5 || f_a == 0) return f_a == 0 ? a : best;
    const double xi = (a - b) / (c - b);
    const double phi = (f_a - f_b) / (f_c - f_b);
    share = 0.5;
    if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi) {
      share = f_a / (f_b - f_a) * f_c / (f_b - f_c) + (c - a) / (b - a) * f_a / (f_c - f_a) * f_b / (f_c - f_b);
    }
    share = std::clamp(share, least, 1 - least);
  }
}

}  // namespace herglotz::integrate
