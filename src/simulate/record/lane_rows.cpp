#include "record/lane_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace herglotz::simulate {

LaneRows::LaneRows(const RowMaker& rows, Kernels kernels)
    : of_one_(rows), kernels_(std::move(kernels)), lanes_(static_cast<std::size_t>(kernels_.lanes)) {
  const auto& shared = *of_one_.shared_;
  parameters_.resize(of_one_.parameters_.size() * lanes_);
  u_.resize(shared.balance.variables() * lanes_);
  rows_.resize(shared.columns.size() * lanes_);
  last_log_.resize(lanes_);
  ledgers_.resize(4 * shared.law_columns.size() * lanes_);
  largest_.resize(shared.law_columns.size() * lanes_);
  tops_.resize(2 * largest_.size());
  moved_.resize(shared.law_columns.size());
  decay_.resize(lanes_);
  if (kernels_.balance) balance_values_.resize(kernels_.balance.outputs() * lanes_);
  if (kernels_.verification) verification_values_.resize(kernels_.verification.outputs() * lanes_);
  for (const kernel::Kernel* kernel : {&kernels_.balance, &kernels_.verification, &kernels_.observables})
    if (*kernel) work_.resize(std::max(work_.size(), kernel->work_size()));
}

void LaneRows::make(const integrate::LaneSamples& samples) {
  const auto& shared = *of_one_.shared_;
  const std::size_t state = shared.state_size * lanes_;
  if (samples.fresh)
    for (std::size_t k = 0; k < of_one_.parameters_.size(); ++k)
      std::copy_n(samples.parameters + k * samples.stride, lanes_, &parameters_[k * lanes_]);
  std::copy_n(samples.numbers, state, u_.begin());
  std::fill_n(&u_[state], lanes_, samples.t);
  std::fill_n(rows_.begin(), lanes_, samples.t);
  std::copy_n(samples.numbers, state, &rows_[lanes_]);
  if (of_one_.remembers()) make_laws(samples);
  if (of_one_.keeps_observables())
    kernels_.observables(u_.data(), parameters_.data(), &rows_[shared.first_observable * lanes_], work_.data());
  t_ = samples.t;
}

void LaneRows::make_laws(const integrate::LaneSamples& samples) {
  const auto& shared = *of_one_.shared_;
  kernels_.balance(u_.data(), parameters_.data(), balance_values_.data(), work_.data());
  kernels_.verification(u_.data(), parameters_.data(), verification_values_.data(), work_.data());
  LaneLaws laws;
  laws.laws = shared.law_columns.size();
  laws.columns = shared.law_columns.data();
  laws.factor = shared.factor;
  laws.balance = balance_values_.data();
  laws.verification = verification_values_.data();
  laws.log_factor = samples.numbers + shared.state_size * lanes_;
  laws.budgets = laws.log_factor + lanes_;
  laws.fresh = samples.fresh;
  laws.duration = samples.t - t_;
  laws.last_log = last_log_.data();
  laws.ledgers = ledgers_.data();
  laws.tops = tops_.data();
  laws.moved = moved_.data();
  laws.decay = decay_.data();
  laws.row = rows_.data();
  if (samples.fresh) {
    std::fill(largest_.begin(), largest_.end(), analyse::LargestResidual{});
    std::fill(tops_.begin(), tops_.end(), 0.0);
  }
  if (lanes_ == 8)
    enter_laws<8>(laws);
  else
    enter_laws<4>(laws);
  for (std::size_t k = 0; k < moved_.size(); ++k)
    if (const unsigned lanes = moved_[k] & samples.lanes; lanes != 0) enter_largest(k, lanes);
  const double* factors = &rows_[shared.factor * lanes_];
  for (std::size_t l = 0; l < lanes_; ++l) {
    if (std::isfinite(factors[l]) && factors[l] != 0) continue;
    for (const LawColumns& at : shared.law_columns)
      rows_[at.invariant * lanes_ + l] = scaled(rows_[at.quantity * lanes_ + l], laws.log_factor[l], factors[l]);
  }
}

void LaneRows::enter_largest(std::size_t k, unsigned lanes) {
  const double* const residuals = &rows_[of_one_.shared_->law_columns[k].residual * lanes_];
  const double* const yardsticks = &ledgers_[(4 * k + 2) * lanes_];
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto l = static_cast<std::size_t>(std::countr_zero(lanes));
    analyse::LargestResidual& largest = largest_[k * lanes_ + l];
    largest.enter(residuals[l], yardsticks[l], decay_[l]);
    const auto top = largest.top();
    tops_[2 * k * lanes_ + l] = top.residual;
    tops_[(2 * k + 1) * lanes_ + l] = top.yardstick;
  }
}

std::vector<double> LaneRows::largest_residuals(std::size_t lane) const {
  std::vector<double> all;
  for (std::size_t k = 0; k < moved_.size() && of_one_.remembers(); ++k)
    all.push_back(largest_[k * lanes_ + lane].value());
  return all;
}

}  // namespace herglotz::simulate
