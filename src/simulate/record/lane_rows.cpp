#include "record/lane_rows.hpp"

#include <algorithm>
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
  laws.row = rows_.data();
  if (lanes_ == 8)
    enter_laws<8>(laws);
  else
    enter_laws<4>(laws);
  const double* factors = &rows_[shared.factor * lanes_];
  for (std::size_t l = 0; l < lanes_; ++l) {
    if (std::isfinite(factors[l]) && factors[l] != 0) continue;
    for (const LawColumns& at : shared.law_columns)
      rows_[at.invariant * lanes_ + l] = scaled(rows_[at.quantity * lanes_ + l], laws.log_factor[l], factors[l]);
  }
}

}  // namespace herglotz::simulate
