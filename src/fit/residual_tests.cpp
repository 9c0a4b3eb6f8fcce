#include "residual_tests.hpp"

#include <cmath>
#include <limits>

namespace herglotz::fit {

double durbin_watson(std::span<const double> residuals) {
  double changes = 0;
  double squares = 0;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    squares += residuals[i] * residuals[i];
    if (i > 0) changes += (residuals[i] - residuals[i - 1]) * (residuals[i] - residuals[i - 1]);
  }
  return residuals.size() < 2 || squares == 0 ? std::numeric_limits<double>::quiet_NaN() : changes / squares;
}

double excess_of_runs(std::span<const double> residuals) {
  double positive = 0;
  double negative = 0;
  double runs = 0;
  int last = 0;
  for (const double e : residuals) {
    const int sign = e < 0 ? -1 : 1;
    (sign > 0 ? positive : negative) += 1;
    if (sign != last) runs += 1;
    last = sign;
  }
  const double all = positive + negative;
  const double product = 2 * positive * negative;
  const double variance = product * (product - all) / (all * all * (all - 1));
  return variance > 0 ? (runs - product / all - 1) / std::sqrt(variance) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace herglotz::fit
