#include "record/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/integrate/kernel_outputs.hpp"
#include "herglotz/kernel/exponential.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/mechanics/events/jumps.hpp"

namespace herglotz::simulate {

using analyse::Role;

double scaled(double quantity, double log_factor, double factor) {
  if (std::isfinite(factor) && factor != 0) return factor * quantity;
  return quantity == 0 ? 0 : std::copysign(std::exp(log_factor + std::log(std::abs(quantity))), quantity);
}

RowMaker::Shared::Shared(const mechanics::System& system, const std::vector<mechanics::BalanceLaw>& laws,
                         RecordedLaws of_laws, kernel::Kernel of_observables, RecordedConstraints recorded)
    : balance(std::move(of_laws.balance)),
      verification(std::move(of_laws.verification)),
      observables(std::move(of_observables)),
      constraints(std::move(recorded)),
      equations(system.constraints.equations.size()),
      state_size(system.n() + system.r() + 1),
      modes(system.frictions.empty() || !system.frictions.front().followed ? 0 : 2 * system.frictions.size()) {
  std::vector<symbolic::Expr> state = system.algebroid.x;
  state.insert(state.end(), system.w().begin(), system.w().end());
  state.push_back(system.z);
  add(std::string(system.t.name()), Role::time);
  for (std::size_t i = 0; i < state_size; ++i) {
    add(std::string(state[i].name()), i < system.n()                ? Role::base
                                      : i < system.n() + system.r() ? Role::fibre
                                                                    : Role::action);
  }
  first_multiplier = columns.size();
  for (const auto& multiplier : system.constraints.multipliers) add(std::string(multiplier.name()), Role::multiplier);
  for (const auto& law : laws) {
    law_names.push_back(law.name);
    law_kinds.push_back(law.kind);
    const bool energy = law.kind == mechanics::LawKind::energy;
    const auto names = mechanics::law_columns(law.kind, law.name);
    LawColumns at{};
    at.quantity = add(names[0], energy ? Role::energy : Role::momentum);
    if (energy) factor = add("integrating_factor", Role::factor);
    at.invariant = add(names[1], Role::invariant);
    at.residual = add(names[2], Role::residual);
    law_columns.push_back(at);
  }
  first_constraint = columns.size();
  const std::size_t levels = constraints.of_levels ? constraints.of_levels.outputs() : 0;
  for (std::size_t k = 1; k <= std::max(equations, levels); ++k)
    add("constraint." + std::to_string(k), Role::constraint);
  first_observable = columns.size();
  for (const auto& observable : system.observables) add(observable.name, Role::observable);
  first_work = columns.size();
  for (std::size_t k = 0; k < system.frictions.size(); ++k)
    if (!mechanics::is_second_velocity(system, k)) add("work." + system.frictions[k].name, Role::observable);
  for (const auto& contact : mechanics::driven_contacts(system)) add("drive." + contact.name, Role::observable);
  first_jump = columns.size();
  for (const auto& name : jump_columns(system)) add(name, Role::observable);
  for (const auto& invariant : system.invariants) invariant_names.push_back(invariant.name);
  first_fibre = system.n();
  const std::size_t others = 2 * laws.size() + invariant_names.size();
  held_fibres = verification && verification.outputs() > others ? system.r() : 0;
}

std::vector<std::string> jump_columns(const mechanics::System& system) {
  std::vector<std::string> names;
  const auto add = [&](std::string_view what, const mechanics::Event& event) {
    std::string name = fmt::format("{}.{}", what, event.name);
    const auto& multipliers = system.constraints.multipliers;
    const bool multiplier = std::any_of(multipliers.begin(), multipliers.end(),
                                        [&](const symbolic::Expr& symbol) { return symbol.name() == name; });
    const auto& observables = system.observables;
    const bool observable =
        std::any_of(observables.begin(), observables.end(), [&](const auto& one) { return one.name == name; });
    const auto& frictions = system.frictions;
    const bool friction = std::any_of(frictions.begin(), frictions.end(),
                                      [&](const auto& one) { return what == "work" && one.name == event.name; });
    if (!multiplier && !observable && !friction) names.push_back(std::move(name));
  };
  const auto driven = mechanics::driven_contacts(system);
  for (const auto& event : system.events) {
    if (event.impact)
      for (const char* what : {"friction", "contact", "work"}) add(what, event);
    if (mechanics::changes_state(event)) add("loss", event);
    if (mechanics::is_driven(event) &&
        std::ranges::find(driven, event.name, &mechanics::DrivenContact::name) == driven.end())
      add("drive", event);
  }
  return names;
}

std::size_t RowMaker::Shared::add(std::string name, Role role) {
  columns.push_back({std::move(name), role, {}});
  return columns.size() - 1;
}

RowMaker::RowMaker(const mechanics::System& system, const std::vector<mechanics::BalanceLaw>& laws,
                   RecordedLaws recorded, kernel::Kernel observables, RecordedConstraints constraints,
                   std::vector<double> parameters)
    : shared_(std::make_shared<const Shared>(system, laws, std::move(recorded), std::move(observables),
                                             std::move(constraints))),
      parameters_(std::move(parameters)),
      row_(shared_->columns.size()),
      ledgers_(laws.size()),
      budgets_(laws.size()),
      largest_invariants_(system.invariants.size()),
      independent_(shared_->equations),
      u_(shared_->balance.variables()),
      balance_values_(shared_->balance.outputs()),
      verification_values_(shared_->verification.outputs()) {
  parameters_.resize(parameters_.size() + shared_->modes, 0.0);
  if (shared_->constraints.values) constraint_values_.resize(shared_->constraints.values.outputs());
  for (const kernel::Kernel* kernel : {&shared_->balance, &shared_->verification, &shared_->observables,
                                       &shared_->constraints.values, &shared_->constraints.of_levels}) {
    if (*kernel) work_.resize(std::max(work_.size(), kernel->work_size()));
  }
}

void RowMaker::keep(std::span<const std::size_t> columns) {
  using enum Role;
  keeps_laws_ = false;
  keeps_observables_ = false;
  for (const std::size_t column : columns) {
    const Role role = shared_->columns[column].role;
    keeps_laws_ = keeps_laws_ || role == energy || role == momentum || role == factor || role == invariant ||
                  role == residual || (column >= shared_->first_work && column < shared_->first_jump);
    keeps_observables_ = keeps_observables_ || role == observable;
  }
}

bool RowMaker::make(const integrate::Sample& sample) {
  const std::size_t size = shared_->state_size;
  std::copy_n(sample.state.begin(), size, u_.begin());
  u_[size] = sample.t;
  std::copy(sample.multipliers.begin(), sample.multipliers.end() - static_cast<std::ptrdiff_t>(shared_->modes),
            u_.begin() + static_cast<std::ptrdiff_t>(size) + 1);
  row_[0] = sample.t;
  std::copy_n(sample.state.begin(), size, row_.begin() + 1);
  log_factor_ = sample.log_factor;
  made_ = true;
  if (keeps_laws_) make_laws(sample);
  const double growth = sample.log_factor == 0 ? 1 : kernel::exponential(-sample.log_factor);
  for (std::size_t column = shared_->first_jump; column < row_.size() && !carried_.totals.empty(); ++column)
    if (const auto total = carried_.totals.find(shared_->columns[column].name); total != carried_.totals.end())
      row_[column] = total->second * growth;
  if (shared_->equations > 0) make_constraints(sample);
  if (shared_->constraints.of_levels) make_level_constraints();
  std::copy(sample.multipliers.end() - static_cast<std::ptrdiff_t>(shared_->modes), sample.multipliers.end(),
            parameters_.end() - static_cast<std::ptrdiff_t>(shared_->modes));
  if (keeps_observables())
    shared_->observables(u_.data(), parameters_.data(), row_.data() + shared_->first_observable, work_.data());
  return broken_.empty();
}

void RowMaker::make_laws(const integrate::Sample& sample) {
  shared_->balance(u_.data(), parameters_.data(), balance_values_.data(), work_.data());
  shared_->verification(u_.data(), parameters_.data(), verification_values_.data(), work_.data());
  const double log_factor = carried_.log_factor + sample.log_factor;
  const double factor = kernel::exponential(log_factor);
  const auto step = factor_.next(sample.t, log_factor);
  row_[shared_->factor] = factor;
  if (std::isinf(factor) && !overflowed_) overflowed_ = sample.t;
  if (shared_->held_fibres > 0)
    verification_values_[ledgers_.size()] +=
        terms_at_rest(sample.t, balance_values_[integrate::BalanceOutputs::scale(0)]);
  for (std::size_t k = 0; k < ledgers_.size(); ++k) {
    const LawColumns& at = shared_->law_columns[k];
    const double quantity = balance_values_[integrate::BalanceOutputs::quantity(k)];
    const double scale = balance_values_[integrate::BalanceOutputs::scale(k)];
    row_[at.quantity] = quantity;
    row_[at.invariant] = scaled(quantity, log_factor, factor);
    row_[at.residual] = ledgers_[k].residual({sample.t, quantity, scale, budget(sample, k), log_factor,
                                              verification_values_[k], verification_values_[ledgers_.size() + k]},
                                             step);
    budgets_[k] = budget(sample, k);
  }
  for (std::size_t column = shared_->first_work; column < shared_->first_jump; ++column)
    row_[column] = budget(sample, ledgers_.size() + column - shared_->first_work);
  for (std::size_t k = 0; k < largest_invariants_.size(); ++k) {
    const double value = std::abs(verification_values_[2 * ledgers_.size() + k]);
    if (!std::isnan(largest_invariants_[k]) && !(value <= largest_invariants_[k])) largest_invariants_[k] = value;
  }
}

double RowMaker::terms_at_rest(double t, double scale) {
  if (!rest_since_) rest_since_ = t;
  const double time = std::abs(t - *rest_since_);
  const std::size_t r = shared_->held_fibres;
  const double* const forces = verification_values_.data() + verification_values_.size() - 2 * r;
  double terms = 0;
  for (std::size_t a = 0; a < r && at_rest_; ++a) {
    const double speed = forces[r + a] > 0 ? forces[a] / forces[r + a] * time : 0;
    at_rest_ = std::abs(u_[shared_->first_fibre + a]) <= analyse::term_rounding * speed;
    terms += forces[a] * speed * time;
  }
  constexpr double most = 1e3;  // beside larger terms the rounding is not a violation that anybody would doubt
  const bool counts = at_rest_ && std::isfinite(terms) && scale <= most * analyse::term_rounding * terms;
  return counts ? terms : 0;
}

double RowMaker::budget(const integrate::Sample& sample, std::size_t k) const {
  const double own = sample.budget[k];
  if (beyond_.empty() || beyond_[k] == 0) return own;
  return own + beyond_[k] * kernel::exponential(-sample.log_factor);
}

void RowMaker::make_constraints(const integrate::Sample& sample) {
  constexpr double still_follows = 1e-6;
  const std::size_t equations = shared_->equations;
  std::fill_n(row_.begin() + static_cast<std::ptrdiff_t>(shared_->first_multiplier), equations, 0.0);
  std::fill(independent_.begin(), independent_.end(), false);
  for (std::size_t A = 0; A + shared_->modes < sample.multipliers.size(); ++A) {
    const std::size_t k = shared_->constraints.equation[A];
    row_[shared_->first_multiplier + k] = sample.multipliers[A] + 0.0;  // no negative zeros
    independent_[k] = true;
  }
  shared_->constraints.values(u_.data(), parameters_.data(), constraint_values_.data(), work_.data());
  for (const double value : constraint_values_) {
    if (!std::isnan(largest_constraint_) && !(std::abs(value) <= largest_constraint_))
      largest_constraint_ = std::abs(value);
  }
  for (std::size_t k = 0; k < equations; ++k) {
    row_[shared_->first_constraint + k] = constraint_values_[k];
    if (!independent_[k] && !(std::abs(constraint_values_[k]) <= still_follows)) {
      broken_ = fmt::format("constraint {} followed from the others at the start but is {:.3g} at t = {:.6g}", k + 1,
                            constraint_values_[k], sample.t);
    }
  }
}

void RowMaker::make_level_constraints() {
  const auto& values = shared_->constraints.of_levels;
  double* row = row_.data() + shared_->first_constraint;
  values(u_.data(), parameters_.data(), row, work_.data());
  for (std::size_t k = 0; k < values.outputs(); ++k)
    if (!std::isnan(largest_constraint_) && !(std::abs(row[k]) <= largest_constraint_))
      largest_constraint_ = std::abs(row[k]);
}

std::vector<double> RowMaker::largest_residuals() const {
  std::vector<double> all;
  for (std::size_t k = 0; k < ledgers_.size() && keeps_laws_; ++k) all.push_back(ledgers_[k].largest());
  return all;
}

void RowMaker::conclude(analyse::RunFacts& facts) const {
  for (std::size_t k = 0; k < shared_->law_names.size(); ++k) {
    if (k == 0) {
      facts.largest_energy_residual = ledgers_[k].largest();
    } else {
      auto& residuals = shared_->law_kinds[k] == mechanics::LawKind::momentum ? facts.largest_momentum_residuals
                                                                              : facts.largest_dissipated_residuals;
      residuals.emplace_back(shared_->law_names[k], ledgers_[k].largest());
    }
    if (const auto since = ledgers_[k].at_round_off()) facts.at_round_off.emplace_back(shared_->law_names[k], *since);
  }
  for (std::size_t k = 0; k < largest_invariants_.size(); ++k)
    facts.largest_invariants.emplace_back(shared_->invariant_names[k], largest_invariants_[k]);
  if (overflowed_)
    facts.notes.push_back(
        fmt::format("integrating_factor exceeds the largest number from t = {:.6g} and is inf there; invariants and "
                    "residuals are formed from its logarithm",
                    *overflowed_));
  facts.largest_constraint_residual = largest_constraint_;
}

void RowMaker::go_on(const Carried& carried, double t0, std::span<const double> state) {
  carried_ = carried;
  log_factor_ = 0;
  factor_ = carried.factor;
  at_rest_ = carried.budgets.empty();
  rest_since_.reset();
  beyond_.assign(ledgers_.size() + shared_->first_jump - shared_->first_work, 0.0);
  if (carried.budgets.empty()) {
    std::fill(ledgers_.begin(), ledgers_.end(), analyse::BalanceLedger{});
  } else {
    ledgers_ = carried.ledgers;
    std::fill(u_.begin(), u_.end(), 0.0);
    std::copy_n(state.begin(), shared_->state_size, u_.begin());
    u_[shared_->state_size] = t0;
    shared_->balance(u_.data(), parameters_.data(), balance_values_.data(), work_.data());
    for (std::size_t k = 0; k < ledgers_.size(); ++k)
      beyond_[k] = carried.budgets[k] - balance_values_[integrate::BalanceOutputs::quantity(k)];
  }
  for (std::size_t column = shared_->first_work; column < shared_->first_jump; ++column)
    if (const auto total = carried.totals.find(shared_->columns[column].name); total != carried.totals.end())
      beyond_[ledgers_.size() + column - shared_->first_work] = total->second;
  std::fill(row_.begin() + static_cast<std::ptrdiff_t>(shared_->first_jump), row_.end(), 0.0);
  made_ = false;
}

Carried RowMaker::carried() const {
  Carried next = carried_;
  if (!made_) return next;
  next.log_factor += log_factor_;
  for (std::size_t column = shared_->first_work; column < row_.size(); ++column)
    next.totals[shared_->columns[column].name] = row_[column];
  next.budgets = budgets_;
  next.ledgers = ledgers_;
  next.factor = factor_;
  return next;
}

void RowMaker::restart(std::span<const double> parameters) {
  parameters_.assign(parameters.begin(), parameters.end());
  parameters_.resize(parameters_.size() + shared_->modes, 0.0);
  factor_ = {};
  std::fill(ledgers_.begin(), ledgers_.end(), analyse::BalanceLedger{});
  largest_constraint_ = 0;
  std::fill(largest_invariants_.begin(), largest_invariants_.end(), 0.0);
  carried_ = {};
  beyond_.clear();
  log_factor_ = 0;
  at_rest_ = true;
  rest_since_.reset();
  overflowed_.reset();
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
