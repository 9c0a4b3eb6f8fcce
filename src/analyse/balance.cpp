#include "herglotz/analyse/balance.hpp"

#include <cmath>

namespace herglotz::analyse {

FactorStep<double> FactorSteps::next(double t, double log_factor) {
  const auto step =
      started_ ? factor_step(t - t_, log_factor - log_factor_, log_factor) : factor_step(0, 0.0, log_factor);
  started_ = true;
  t_ = t;
  log_factor_ = log_factor;
  return step;
}

double BalanceLedger::residual(const LawSample& sample) {
  return residual(sample, own_.next(sample.t, sample.log_factor));
}

double BalanceLedger::residual(const LawSample& sample, const FactorStep<double>& step) {
  if (!started_) state_.initial = sample.budget;
  started_ = true;
  double rounding = 0;
  const double residual = enter(
      state_, {sample.quantity, sample.scale, sample.budget, sample.rate_terms, sample.value_terms}, step, rounding);
  // Terms that have all decayed to 0 stay at round-off.
  if (has_decayed(state_.yardstick, rounding)) {
    if (!at_round_off_) at_round_off_ = sample.t;
  } else if (state_.yardstick > 0) {
    at_round_off_.reset();
  }
  if (std::isnan(residual)) largest_ = residual;
  if (std::abs(residual) > largest_) largest_ = std::abs(residual);
  return residual;
}

}  // namespace herglotz::analyse
