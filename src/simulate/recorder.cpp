#include "recorder.hpp"

#include <algorithm>
#include <cmath>

#include "settings.hpp"

namespace herglotz::simulate {

using analyse::Role;

Recorder::Recorder(const mechanics::System& system, const std::vector<mechanics::BalanceLaw>& laws,
                   kernel::Kernel balance, kernel::Kernel observables, std::vector<double> parameters)
    : laws_(laws),
      balance_(std::move(balance)),
      observables_(std::move(observables)),
      parameters_(std::move(parameters)),
      ledgers_(laws.size()) {
  const auto names = state_names(system);
  state_size_ = names.size();
  add(std::string(system.t.name()), Role::time);
  for (std::size_t i = 0; i < names.size(); ++i) {
    add(names[i], i < system.n() ? Role::base : i < system.n() + system.r() ? Role::fibre : Role::action);
  }
  for (const auto& law : laws_) {
    const bool energy = law_columns_.empty();
    LawColumns at{};
    at.quantity = add(energy ? "energy" : "momentum." + law.name, energy ? Role::energy : Role::momentum);
    if (energy) factor_ = add("integrating_factor", Role::factor);
    at.invariant = add(energy ? "energy_invariant" : "momentum_invariant." + law.name, Role::invariant);
    at.residual = add(energy ? "energy_residual" : "momentum_residual." + law.name, Role::residual);
    law_columns_.push_back(at);
  }
  first_observable_ = columns_.size();
  for (const auto& observable : system.observables) add(observable.name, Role::observable);
  u_.resize(state_size_ + 1);
  balance_values_.resize(balance_.outputs());
  observable_values_.resize(system.observables.size());
  work_.resize(std::max(balance_.work_size(), observables_ ? observables_.work_size() : 0));
}

std::size_t Recorder::add(std::string name, Role role) {
  columns_.push_back({std::move(name), role, {}});
  return columns_.size() - 1;
}

void Recorder::record(const integrate::Sample& sample) {
  std::copy(sample.state.begin(), sample.state.end(), u_.begin());
  u_.back() = sample.t;
  columns_[0].values.push_back(sample.t);
  for (std::size_t i = 0; i < state_size_; ++i) columns_[1 + i].values.push_back(sample.state[i]);
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
  if (observable_values_.empty()) return;
  observables_(u_.data(), parameters_.data(), observable_values_.data(), work_.data());
  for (std::size_t i = 0; i < observable_values_.size(); ++i) {
    columns_[first_observable_ + i].values.push_back(observable_values_[i]);
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
  return {std::move(columns_), std::move(facts)};
}

}  // namespace herglotz::simulate
