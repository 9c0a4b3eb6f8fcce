#include "herglotz/analyse/balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace herglotz::analyse {
namespace {

/// Rounding of a computed term of Q or dQ/dt, relative to the term. An operation errs by at most eps/2 of its result,
/// so a term that is the end of 16 operations in a row, the sum over the terms included, errs by at most 16 eps/2.
constexpr double term_rounding = 16 * (std::numeric_limits<double>::epsilon() / 2);
/// Rounding above this share of the largest term is subtracted from the defect.
constexpr double noticeable = 1e-9;

}  // namespace

/// Carries the rounding to the next sample. `growth` is the growth of log(lambda). Between samples log(lambda) is taken
/// as linear, and the terms of the rate as large as at the larger end.
void BalanceLedger::carry_rounding(const LawSample& sample, double growth) {
  const double terms = std::isfinite(sample.rate_terms) ? sample.rate_terms : 0;
  const double mean_share = growth == 0 ? 1 : -std::expm1(-growth) / growth;
  const double made = term_rounding * std::abs(sample.t - t_) * std::max(terms, rate_terms_) * mean_share;
  const double kept = rounding_ == 0 ? 0 : rounding_ * std::exp(-growth);
  rounding_ = std::isfinite(kept + made) ? kept + made : 0;
  rate_terms_ = terms;
  t_ = sample.t;
}

double BalanceLedger::residual(const LawSample& sample) {
  if (!started_) {
    started_ = true;
    initial_ = sample.budget;
    log_factor_ = sample.log_factor;
    t_ = sample.t;
  }
  const double growth = sample.log_factor - log_factor_;
  const double integral = sample.budget - initial_ * (sample.log_factor == 0 ? 1 : std::exp(-sample.log_factor));
  double yardstick = growth == 0 ? yardstick_ : yardstick_ * std::exp(-growth);
  carry_rounding(sample, growth);
  log_factor_ = sample.log_factor;
  for (const double term : {sample.scale, std::abs(sample.quantity), std::abs(sample.budget), std::abs(integral)}) {
    if (std::isfinite(term)) yardstick = std::max(yardstick, term);
  }
  yardstick_ = yardstick;
  double defect = sample.quantity - sample.budget;
  const double rounding = rounding_ + (std::isfinite(sample.value_terms) ? term_rounding * sample.value_terms : 0);
  const bool decayed = yardstick > 0 && rounding > noticeable * yardstick;
  if (decayed && !std::isnan(defect)) defect = std::copysign(std::max(std::abs(defect) - rounding, 0.0), defect);
  if (!decayed) {
    at_round_off_.reset();
  } else if (!at_round_off_) {
    at_round_off_ = sample.t;
  }
  const double relative = yardstick > 0 ? defect / yardstick : defect;
  if (std::isnan(relative)) largest_ = relative;
  if (std::abs(relative) > largest_) largest_ = std::abs(relative);
  return relative;
}

}  // namespace herglotz::analyse
