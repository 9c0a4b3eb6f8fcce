#include "herglotz/analyse/balance.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::analyse {

double BalanceLedger::residual(double quantity, double scale, double budget, double log_factor) {
  if (!started_) {
    started_ = true;
    initial_ = budget;
    log_factor_ = log_factor;
  }
  const double integral = budget - initial_ * std::exp(-log_factor);
  yardstick_ *= std::exp(log_factor_ - log_factor);
  log_factor_ = log_factor;
  for (const double term : {scale, std::abs(quantity), std::abs(budget), std::abs(integral)}) {
    if (std::isfinite(term)) yardstick_ = std::max(yardstick_, term);
  }
  const double defect = quantity - budget;
  const double relative = yardstick_ > 0 ? defect / yardstick_ : defect;
  if (std::isnan(relative)) largest_ = relative;
  if (std::abs(relative) > largest_) largest_ = std::abs(relative);
  return relative;
}

}  // namespace herglotz::analyse
