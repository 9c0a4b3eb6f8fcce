#include "recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace herglotz::simulate {

using analyse::Role;

RowMaker::RowMaker(const mechanics::System& system, const std::vector<mechanics::BalanceLaw>& laws,
                   kernel::Kernel balance, kernel::Kernel observables, RecordedConstraints constraints,
                   std::vector<double> parameters)
    : balance_(std::move(balance)),
      observables_(std::move(observables)),
      parameters_(std::move(parameters)),
      constraints_(std::move(constraints)),
      equations_(system.constraints.equations.size()),
      state_size_(system.n() + system.r() + 1),
      ledgers_(laws.size()) {
  std::vector<symbolic::Expr> state = system.algebroid.x;
  state.insert(state.end(), system.w().begin(), system.w().end());
  state.push_back(system.z);
  add(std::string(system.t.name()), Role::time);
  for (std::size_t i = 0; i < state_size_; ++i) {
    add(std::string(state[i].name()), i < system.n()                ? Role::base
                                      : i < system.n() + system.r() ? Role::fibre
                                                                    : Role::action);
  }
  first_multiplier_ = columns_.size();
  for (const auto& multiplier : system.constraints.multipliers) add(std::string(multiplier.name()), Role::multiplier);
  for (const auto& law : laws) {
    law_names_.push_back(law.name);
    const bool energy = law_columns_.empty();
    LawColumns at{};
    at.quantity = add(energy ? "energy" : "momentum." + law.name, energy ? Role::energy : Role::momentum);
    if (energy) factor_ = add("integrating_factor", Role::factor);
    at.invariant = add(energy ? "energy_invariant" : "momentum_invariant." + law.name, Role::invariant);
    at.residual = add(energy ? "energy_residual" : "momentum_residual." + law.name, Role::residual);
    law_columns_.push_back(at);
  }
  first_constraint_ = columns_.size();
  for (std::size_t k = 1; k <= equations_; ++k) add("constraint." + std::to_string(k), Role::constraint);
  first_observable_ = columns_.size();
  for (const auto& observable : system.observables) add(observable.name, Role::observable);
  u_.resize(balance_.variables());
  balance_values_.resize(balance_.outputs());
  row_.resize(columns_.size());
  if (constraints_.values) constraint_values_.resize(constraints_.values.outputs());
  for (const kernel::Kernel* kernel : {&balance_, &observables_, &constraints_.values}) {
    if (*kernel) work_.resize(std::max(work_.size(), kernel->work_size()));
  }
}

std::size_t RowMaker::add(std::string name, Role role) {
  columns_.push_back({std::move(name), role, {}});
  return columns_.size() - 1;
}

bool RowMaker::make(const integrate::Sample& sample) {
  std::copy_n(sample.state.begin(), state_size_, u_.begin());
  u_[state_size_] = sample.t;
  std::copy(sample.multipliers.begin(), sample.multipliers.end(),
            u_.begin() + static_cast<std::ptrdiff_t>(state_size_) + 1);
  row_[0] = sample.t;
  std::copy_n(sample.state.begin(), state_size_, row_.begin() + 1);
  make_laws(sample);
  if (equations_ > 0) make_constraints(sample);
  if (first_observable_ < row_.size())
    observables_(u_.data(), parameters_.data(), row_.data() + first_observable_, work_.data());
  return broken_.empty();
}

void RowMaker::make_laws(const integrate::Sample& sample) {
  balance_(u_.data(), parameters_.data(), balance_values_.data(), work_.data());
  const double factor = std::exp(sample.log_factor);
  row_[factor_] = factor;
  for (std::size_t k = 0; k < law_columns_.size(); ++k) {
    const double quantity = balance_values_[1 + 3 * k];
    const double scale = balance_values_[2 + 3 * k];
    row_[law_columns_[k].quantity] = quantity;
    row_[law_columns_[k].invariant] = factor * quantity;
    row_[law_columns_[k].residual] = ledgers_[k].residual(quantity, scale, sample.budget[k], sample.log_factor);
  }
}

void RowMaker::make_constraints(const integrate::Sample& sample) {
  constexpr double still_follows = 1e-6;
  std::fill_n(row_.begin() + static_cast<std::ptrdiff_t>(first_multiplier_), equations_, 0.0);
  std::vector<bool> independent(equations_, false);
  for (std::size_t A = 0; A < sample.multipliers.size(); ++A) {
    row_[first_multiplier_ + constraints_.equation[A]] = sample.multipliers[A] + 0.0;  // no negative zeros
    independent[constraints_.equation[A]] = true;
  }
  constraints_.values(u_.data(), parameters_.data(), constraint_values_.data(), work_.data());
  for (const double value : constraint_values_) {
    if (!std::isnan(largest_constraint_) && !(std::abs(value) <= largest_constraint_))
      largest_constraint_ = std::abs(value);
  }
  for (std::size_t k = 0; k < equations_; ++k) {
    row_[first_constraint_ + k] = constraint_values_[k];
    if (!independent[k] && !(std::abs(constraint_values_[k]) <= still_follows)) {
      broken_ = fmt::format("constraint {} followed from the others at the start but is {:.3g} at t = {:.6g}", k + 1,
                            constraint_values_[k], sample.t);
    }
  }
}

void RowMaker::conclude(analyse::RunFacts& facts) const {
  for (std::size_t k = 0; k < law_names_.size(); ++k) {
    if (k == 0) {
      facts.largest_energy_residual = ledgers_[k].largest();
    } else {
      facts.largest_momentum_residuals.emplace_back(law_names_[k], ledgers_[k].largest());
    }
  }
  facts.largest_constraint_residual = largest_constraint_;
}

void RowMaker::restart(std::span<const double> parameters) {
  parameters_.assign(parameters.begin(), parameters.end());
  std::fill(ledgers_.begin(), ledgers_.end(), analyse::BalanceLedger{});
  largest_constraint_ = 0;
  broken_.clear();
}

Recorder::Recorder(RowMaker rows) : rows_(std::move(rows)), columns_(rows_.columns()) {}

bool Recorder::record(const integrate::Sample& sample) {
  const bool fine = rows_.make(sample);
  for (std::size_t k = 0; k < columns_.size(); ++k) columns_[k].values.push_back(rows_.row()[k]);
  return fine;
}

analyse::Trajectory Recorder::finish(analyse::RunFacts facts) && {
  rows_.conclude(facts);
  return {std::move(columns_), std::move(facts)};
}

}  // namespace herglotz::simulate
