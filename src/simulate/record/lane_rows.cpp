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
  kept_.resize(4 * largest_.size());
  residuals_.resize(largest_.size());
  left_.resize(shared.law_columns.size());
  decay_.resize(lanes_);
  if (kernels_.balance) balance_values_.resize(kernels_.balance.outputs() * lanes_);
  if (kernels_.verification) verification_values_.resize(kernels_.verification.outputs() * lanes_);
  for (const kernel::Kernel* kernel : {&kernels_.balance, &kernels_.verification, &kernels_.observables})
    if (*kernel) work_.resize(std::max(work_.size(), kernel->work_size()));
}

void LaneRows::make(const integrate::LaneSamples& samples) {
  const auto& shared = *of_one_.shared_;
  std::fill_n(rows_.begin(), lanes_, samples.t);
  std::copy_n(samples.numbers, shared.state_size * lanes_, &rows_[lanes_]);
  follow(samples, rows_.data());
  if (of_one_.keeps_observables())
    kernels_.observables(u_.data(), parameters_.data(), &rows_[shared.first_observable * lanes_], work_.data());
}

void LaneRows::follow(const integrate::LaneSamples& samples) {
  follow(samples, nullptr);
}

void LaneRows::follow(const integrate::LaneSamples& samples, double* row) {
  const std::size_t state = of_one_.shared_->state_size * lanes_;
  if (samples.fresh)
    for (std::size_t k = 0; k < of_one_.parameters_.size(); ++k)
      std::copy_n(samples.parameters + k * samples.stride, lanes_, &parameters_[k * lanes_]);
  std::copy_n(samples.numbers, state, u_.begin());
  std::fill_n(&u_[state], lanes_, samples.t);
  if (of_one_.remembers()) enter_laws(samples, row);
  t_ = samples.t;
}

void LaneRows::enter_laws(const integrate::LaneSamples& samples, double* row) {
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
  laws.kept = kept_.data();
  laws.left = left_.data();
  laws.decay = decay_.data();
  laws.residuals = residuals_.data();
  laws.row = row;
  if (samples.fresh) {
    std::fill(largest_.begin(), largest_.end(), analyse::LargestResidual{});
    std::fill(kept_.begin(), kept_.end(), 0.0);
  }
  if (lanes_ == 8)
    simulate::enter_laws<8>(laws);
  else
    simulate::enter_laws<4>(laws);
  for (std::size_t k = 0; k < left_.size(); ++k)
    if (const unsigned lanes = left_[k] & samples.lanes; lanes != 0) enter_largest(k, lanes);
  if (row == nullptr) return;
  const double* factors = &row[shared.factor * lanes_];
  for (std::size_t l = 0; l < lanes_; ++l) {
    if (std::isfinite(factors[l]) && factors[l] != 0) continue;
    for (const LawColumns& at : shared.law_columns)
      row[at.invariant * lanes_ + l] = scaled(row[at.quantity * lanes_ + l], laws.log_factor[l], factors[l]);
  }
}

void LaneRows::enter_largest(std::size_t k, unsigned lanes) {
  const double* const yardsticks = &ledgers_[(4 * k + 2) * lanes_];
  double* const kept = &kept_[4 * k * lanes_];
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto l = static_cast<std::size_t>(std::countr_zero(lanes));
    analyse::LargestResidual& largest = largest_[k * lanes_ + l];
    largest.replace_last({kept[l], kept[lanes_ + l]});
    largest.enter(residuals_[k * lanes_ + l], yardsticks[l], decay_[l]);
    const auto last = largest.last();
    const auto before = largest.before_last();
    kept[l] = last.residual;
    kept[lanes_ + l] = last.yardstick;
    kept[2 * lanes_ + l] = before.residual;
    kept[3 * lanes_ + l] = before.yardstick;
  }
}

analyse::LargestResidual LaneRows::largest(std::size_t k, std::size_t lane) const {
  analyse::LargestResidual largest = largest_[k * lanes_ + lane];
  largest.replace_last({kept_[4 * k * lanes_ + lane], kept_[(4 * k + 1) * lanes_ + lane]});
  return largest;
}

std::vector<double> LaneRows::largest_residuals(std::size_t lane) const {
  std::vector<double> all;
  for (std::size_t k = 0; k < left_.size() && of_one_.remembers(); ++k) all.push_back(largest(k, lane).value());
  return all;
}

}  // namespace herglotz::simulate
