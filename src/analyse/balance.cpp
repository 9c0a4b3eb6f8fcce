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
  const double change = log_factor_ - log_factor;
  const double integral = budget - initial_ * (log_factor == 0 ? 1 : std::exp(-log_factor));
  double yardstick = change == 0 ? yardstick_ : yardstick_ * std::exp(change);
  log_factor_ = log_factor;
  for (const double term : {scale, std::abs(quantity), std::abs(budget), std::abs(integral)}) {
    if (std::isfinite(term)) yardstick = std::max(yardstick, term);
  }
  const double defect = quantity - budget;
  const double relative = yardstick > 0 ? defect / yardstick : defect;
  yardstick_ = yardstick;
  if (std::isnan(relative)) largest_ = relative;
  if (std::abs(relative) > largest_) largest_ = std::abs(relative);
  return relative;
}

}  // namespace herglotz::analyse
