#include "recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace herglotz::simulate {

using analyse::Role;

Recorder::Recorder(const mechanics::System& system, const std::vector<mechanics::BalanceLaw>& laws,
                   kernel::Kernel balance, kernel::Kernel observables, RecordedConstraints constraints,
                   std::vector<double> parameters)
    : laws_(laws),
      balance_(std::move(balance)),
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
  for (const auto& law : laws_) {
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
  observable_values_.resize(system.observables.size());
  if (constraints_.values) constraint_values_.resize(constraints_.values.outputs());
  for (const kernel::Kernel* kernel : {&balance_, &observables_, &constraints_.values}) {
    if (*kernel) work_.resize(std::max(work_.size(), kernel->work_size()));
  }
}

std::size_t Recorder::add(std::string name, Role role) {
  columns_.push_back({std::move(name), role, {}});
  return columns_.size() - 1;
}

bool Recorder::record(const integrate::Sample& sample) {
  std::copy_n(sample.state.begin(), state_size_, u_.begin());
  u_[state_size_] = sample.t;
  std::copy(sample.multipliers.begin(), sample.multipliers.end(),
            u_.begin() + static_cast<std::ptrdiff_t>(state_size_) + 1);
  columns_[0].values.push_back(sample.t);
  for (std::size_t i = 0; i < state_size_; ++i) columns_[1 + i].values.push_back(sample.state[i]);
  record_laws(sample);
  if (equations_ > 0) record_constraints(sample);
  if (observable_values_.empty()) return broken_.empty();
  observables_(u_.data(), parameters_.data(), observable_values_.data(), work_.data());
  for (std::size_t i = 0; i < observable_values_.size(); ++i) {
    columns_[first_observable_ + i].values.push_back(observable_values_[i]);
  }
  return broken_.empty();
}

void Recorder::record_laws(const integrate::Sample& sample) {
  balance_(u_.data(), parameters_.data(), balance_values_.data(), work_.data());
  const double factor = std::exp(sample.log_factor);
  columns_[factor_].values.push_back(factor);
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const double quantity = balance_values_[1 + 3 * k];
    const double scale = balance_values_[2 + 3 * k];
    columns_[law_columns_[k].quantity].values.push_back(quantity);
    columns_[law_columns_[k].invariant].values.push_back(factor * quantity);
    columns_[law_columns_[k].residual].values.push_back(
        ledgers_[k].residual(quantity, scale, sample.budget[k], sample.log_factor));
  }
}

void Recorder::record_constraints(const integrate::Sample& sample) {
  constexpr double still_follows = 1e-6;
  for (std::size_t k = 0; k < equations_; ++k) columns_[first_multiplier_ + k].values.push_back(0);
  std::vector<bool> independent(equations_, false);
  for (std::size_t A = 0; A < sample.multipliers.size(); ++A) {
    columns_[first_multiplier_ + constraints_.equation[A]].values.back() =
        sample.multipliers[A] + 0.0;  // no negative zeros
    independent[constraints_.equation[A]] = true;
  }
  constraints_.values(u_.data(), parameters_.data(), constraint_values_.data(), work_.data());
  for (const double value : constraint_values_) {
    if (!std::isnan(largest_constraint_) && !(std::abs(value) <= largest_constraint_))
      largest_constraint_ = std::abs(value);
  }
  for (std::size_t k = 0; k < equations_; ++k) {
    columns_[first_constraint_ + k].values.push_back(constraint_values_[k]);
    if (!independent[k] && !(std::abs(constraint_values_[k]) <= still_follows)) {
      broken_ = fmt::format("constraint {} followed from the others at the start but is {:.3g} at t = {:.6g}", k + 1,
                            constraint_values_[k], sample.t);
    }
  }
}

analyse::Trajectory Recorder::finish(analyse::RunFacts facts) && {
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    if (k == 0) {
      facts.largest_energy_residual = ledgers_[k].largest();
    } else {
      facts.largest_momentum_residuals.emplace_back(laws_[k].name, ledgers_[k].largest());
    }
  }
  facts.largest_constraint_residual = largest_constraint_;
  return {std::move(columns_), std::move(facts)};
}

}  // namespace herglotz::simulate
