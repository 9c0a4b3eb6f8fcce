#include "explicit_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "saddle_point.hpp"

namespace herglotz::integrate {
namespace {

/// Adds with the low-order part that is lost (Kahan).
inline void add(double& value, double& lost, double increment) {
  const double corrected = increment - lost;
  const double sum = value + corrected;
  lost = (sum - value) - corrected;
  value = sum;
}

}  // namespace

ExplicitStepper::ExplicitStepper(const Run& run, const ExplicitStep& step, std::span<const double> composition)
    : run_(run), step_(step), composition_(composition), n_(run.dynamics.n), carried_(2 * n_ + 1) {
  if (!step) throw std::invalid_argument("an explicit step is needed, which this system does not have");
  if (run.dynamics.laws > 0) driven_ = step.driven;
  for (const std::size_t law : driven_)
    if (law >= run.dynamics.laws)
      throw std::invalid_argument(
          fmt::format("the explicit step follows law {}, and there are {}", law + 1, run.dynamics.laws));
  state_.u.resize(carried_ + 2 + step.constants);
  state_.lost.resize(carried_ + 1 + driven_.size());
  state_.budgets.resize(driven_.size());
  state_.sources.resize(driven_.size());
  source_now_.resize(driven_.size());
  constants_.resize(composition.size() * step.constants);
  double start = 0;
  for (const double fraction : composition) {
    starts_.push_back(start);
    start += fraction;
  }
  last_state_.assign(run.state.begin(), run.state.end());
  out_.resize(std::max(carried_ + 1, 1 + 3 * run.dynamics.laws));
  std::size_t work = 0;
  for (const auto* kernel :
       {&step.prepare, &step.step, &step.momentum, &step.velocity, &step.sources, &run.dynamics.balance})
    work = std::max(work, kernel->work_size());
  work_.resize(work);
}

Status ExplicitStepper::start() {
  std::vector<double> v(run_.state.begin(), run_.state.end());
  v.push_back(run_.t0);
  step_.momentum(v.data(), run_.parameters.data(), out_.data(), work_.data());
  std::copy_n(v.begin(), carried_, state_.u.begin());
  std::copy_n(out_.begin(), n_, state_.u.begin() + static_cast<std::ptrdiff_t>(n_));
  if (!is_finite()) {
    reason_ = "the momentum p(x, w, z, t) is not finite";
    return Status::not_finite;
  }
  if (const Stop stop = singularity(run_.dynamics, run_.parameters, run_.t0, run_.state);
      stop.status != Status::success) {
    reason_ = stop.reason;
    return stop.status;
  }
  initial_budgets_.resize(run_.dynamics.laws);
  if (run_.dynamics.laws > 0) run_.dynamics.balance(v.data(), run_.parameters.data(), out_.data(), work_.data());
  for (std::size_t k = 0; k < run_.dynamics.laws; ++k) initial_budgets_[k] = out_[1 + 3 * k];
  for (std::size_t j = 0; j < driven_.size(); ++j) state_.budgets[j] = initial_budgets_[driven_[j]];
  return Status::success;
}

void ExplicitStepper::set_step(double h) {
  if (h == h_) return;
  h_ = h;
  if (step_.constants == 0) return;
  for (std::size_t k = 0; k < composition_.size(); ++k) {
    const double size = composition_[k] * h;
    step_.prepare(&size, run_.parameters.data(), constants_.data() + k * step_.constants, work_.data());
  }
}

void ExplicitStepper::know_sources(double t) {
  if (driven_.empty() || state_.sources_known) return;
  state_.u[carried_] = t;
  step_.sources(state_.u.data(), run_.parameters.data(), state_.sources.data(), work_.data());
  state_.sources_known = true;
}

void ExplicitStepper::add_budgets(double h, double log_growth) {
  step_.sources(state_.u.data(), run_.parameters.data(), source_now_.data(), work_.data());
  const double decay = std::expm1(-log_growth);
  for (std::size_t j = 0; j < source_now_.size(); ++j) {
    const double work = h / 2 * ((1 + decay) * state_.sources[j] + source_now_[j]);
    add(state_.budgets[j], state_.lost[carried_ + 1 + j], decay * state_.budgets[j] + work);
  }
  std::swap(source_now_, state_.sources);
}

/// One step of size h_, without a look at what comes out.
void ExplicitStepper::take(double t) {
  double* const u = state_.u.data();
  double* const lost = state_.lost.data();
  double* const out = out_.data();
  const std::size_t carried = carried_;
  const bool driven = !driven_.empty();
  for (std::size_t k = 0; k < composition_.size(); ++k) {
    const double h = composition_[k] * h_;
    u[carried] = t + starts_[k] * h_;
    u[carried + 1] = h;
    std::copy_n(constants_.data() + k * step_.constants, step_.constants, u + carried + 2);
    step_.step(u, run_.parameters.data(), out, work_.data());
    for (std::size_t i = 0; i < carried; ++i) add(u[i], lost[i], out[i]);
    add(state_.log_factor, lost[carried], out[carried]);
    if (!driven) continue;
    u[carried] += h;
    add_budgets(h, out[carried]);
  }
}

Status ExplicitStepper::step(double t, double h) {
  std::size_t done = 0;
  return advance(t, h, 0, 1, done);
}

Status ExplicitStepper::advance(double t0, double h, std::size_t first, std::size_t count, std::size_t& done) {
  set_step(h);
  const auto time = [&](std::size_t k) { return k == 0 ? t0 : t0 + static_cast<double>(k) * h; };
  know_sources(time(first));
  before_ = state_;
  for (std::size_t k = 0; k < count; ++k) take(time(first + k));
  done = count;
  if (is_finite()) return Status::success;
  // What is not finite stays so: the steps are taken again to find the one where it happened.
  state_ = before_;
  for (done = 0; done < count; ++done) {
    before_ = state_;
    take(time(first + done));
    if (!is_finite()) break;
  }
  state_ = before_;
  explain(time(first + done), h);
  return Status::not_finite;
}

bool ExplicitStepper::is_finite() const {
  double sum = state_.log_factor * 0;
  for (std::size_t i = 0; i < carried_; ++i) sum += state_.u[i] * 0;
  for (const double budget : state_.budgets) sum += budget * 0;
  return sum == 0;
}

/// Says which step would do, if any.
void ExplicitStepper::explain(double t, double h) {
  constexpr int halvings = 40;
  reason_ = fmt::format("the state after a step of {:.6g} is not finite", h);
  for (int k = 1; k <= halvings; ++k) {
    set_step(std::ldexp(h, -k));
    take(t);
    const bool fine = is_finite();
    state_ = before_;
    if (!fine) continue;
    reason_ += fmt::format("; a step of {:.3g} would do there", std::ldexp(h, -k));
    return;
  }
}

void ExplicitStepper::recover_velocity() {
  step_.velocity(state_.u.data(), run_.parameters.data(), out_.data(), work_.data());
  std::copy_n(state_.u.begin(), carried_, last_state_.begin());
  std::copy_n(out_.begin(), n_, last_state_.begin() + static_cast<std::ptrdiff_t>(n_));
}

Status ExplicitStepper::sample(double t, Sample& sample) {
  state_.u[carried_] = t;
  recover_velocity();
  sample.t = t;
  std::copy(last_state_.begin(), last_state_.end(), sample.state.begin());
  sample.log_factor = state_.log_factor;
  for (std::size_t k = 0; k < sample.budget.size(); ++k)
    sample.budget[k] = initial_budgets_[k] * std::exp(-state_.log_factor);
  for (std::size_t j = 0; j < driven_.size(); ++j) sample.budget[driven_[j]] = state_.budgets[j];
  return Status::success;
}

void ExplicitStepper::follow(const FixedStepper& other) {
  const auto& leader = static_cast<const ExplicitStepper&>(other);
  state_ = leader.state_;
  initial_budgets_ = leader.initial_budgets_;
}

std::span<const double> ExplicitStepper::last_state() {
  recover_velocity();
  return last_state_;
}

Outcome run_explicit(const Run& run, const ExplicitStep& step, std::span<const double> composition) {
  ExplicitStepper stepper(run, step, composition);
  return follow_fixed(run, stepper);
}

}  // namespace herglotz::integrate
