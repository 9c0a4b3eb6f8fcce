#include "herglotz/analyse/balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace herglotz::analyse {

FactorStep<double> FactorSteps::next(double t, double log_factor) {
  const auto step =
      started_ ? factor_step(t - t_, log_factor - log_factor_, log_factor) : factor_step(0, 0.0, log_factor);
  started_ = true;
  t_ = t;
  log_factor_ = log_factor;
  return step;
}

void LargestResidual::enter(double residual, double yardstick, double decay) {
  if (decay > 1)
    for (Kept& kept : kept_) (kept.yardstick > 0 ? kept.yardstick : kept.residual) *= decay;
  unknown_ = unknown_ || !std::isfinite(residual);
  Kept next{std::abs(residual), yardstick};
  for (; !kept_.empty() && kept_.back().yardstick <= next.yardstick; kept_.pop_back()) {
    const double share = !(yardstick > 0) ? 1 : (kept_.back().yardstick > 0 ? kept_.back().yardstick : 1) / yardstick;
    next.residual = std::max(next.residual, kept_.back().residual * share);
  }
  if (!(next.residual > 0)) return;
  if (yardstick > 0 && !kept_.empty() && next.residual <= kept_.back().residual) return;
  while (yardstick > 0 && !kept_.empty() && kept_.back().residual * kept_.back().yardstick <= next.residual * yardstick)
    kept_.pop_back();
  kept_.push_back(next);
}

double LargestResidual::value() const {
  if (unknown_) return std::numeric_limits<double>::quiet_NaN();
  double largest = 0;
  for (const Kept& kept : kept_) largest = std::max(largest, kept.residual);
  return largest;
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
  largest_.enter(residual, state_.yardstick, step.decay);
  return residual;
}

}  // namespace herglotz::analyse
