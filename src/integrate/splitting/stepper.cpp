#include "splitting/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"
#include "motion/saddle_point.hpp"

namespace herglotz::integrate {
ExplicitStepper::ExplicitStepper(const Run& run, const ExplicitKernels& step, std::span<const double> composition)
    : run_(run),
      step_(step),
      composition_(composition),
      n_(run.dynamics.n),
      carried_(2 * n_ + 1),
      driven_(step.driven.size()) {
  if (!step) throw Refused("an explicit step is needed, which this system does not have");
  for (const std::size_t law : step.driven)
    if (run.dynamics.laws > 0 && law >= run.dynamics.laws)
      throw Refused(fmt::format("the explicit step follows law {}, and there are {}", law + 1, run.dynamics.laws));
  sums_.resize(2 * step.loop.sums());
  substeps_.resize(composition.size() * (2 + step.constants));
  double start = 0;
  for (const double fraction : composition) {
    starts_.push_back(start);
    start += fraction;
  }
  last_state_.assign(run.state.begin(), run.state.end());
  u_.resize(carried_ + 1);
  out_.resize(std::max(carried_, BalanceOutputs::count(run.dynamics.laws)));
  std::size_t work = 0;
  for (const auto* kernel : {&step.prepare, &step.momentum, &step.velocity, &step.sources, &run.dynamics.balance})
    work = std::max(work, kernel->work_size());
  work_.resize(work);
}

Status ExplicitStepper::start() {
  std::vector<double> v(run_.state.begin(), run_.state.end());
  v.push_back(run_.t0);
  step_.momentum(v.data(), run_.parameters.data(), out_.data(), work_.data());
  std::copy_n(v.begin(), carried_, sums_.begin());
  std::copy_n(out_.begin(), n_, sums_.begin() + static_cast<std::ptrdiff_t>(n_));
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
  for (std::size_t k = 0; k < run_.dynamics.laws; ++k) initial_budgets_[k] = out_[BalanceOutputs::quantity(k)];
  if (driven_ == 0) return Status::success;
  for (std::size_t j = 0; j < driven_ && run_.dynamics.laws > 0; ++j)
    sums_[carried_ + j] = initial_budgets_[step_.driven[j]];
  step_.sources(at_time(run_.t0), run_.parameters.data(), sums_.data() + carried_ + driven_, work_.data());
  return Status::success;
}

void ExplicitStepper::set_step(double h) {
  if (h == h_) return;
  h_ = h;
  for (std::size_t k = 0; k < composition_.size(); ++k) {
    double* const substep = substeps_.data() + k * (2 + step_.constants);
    substep[0] = starts_[k] * h;
    substep[1] = composition_[k] * h;
    if (step_.constants > 0) step_.prepare(substep + 1, run_.parameters.data(), substep + 2, work_.data());
  }
}

const double* ExplicitStepper::at_time(double t) {
  std::copy_n(sums_.begin(), carried_, u_.begin());
  u_[carried_] = t;
  return u_.data();
}

/// Makes steps of size h_ without checking the result.
void ExplicitStepper::take(std::size_t first, std::size_t count, double t0) {
  step_.loop(sums_.data(), run_.parameters.data(), substeps_.data(), {t0, h_, first, count, composition_.size()});
}

Status ExplicitStepper::step(double t, double h) {
  std::size_t done = 0;
  return advance(t, h, 0, 1, done);
}

Status ExplicitStepper::advance(double t0, double h, std::size_t first, std::size_t count, std::size_t& done) {
  set_step(h);
  before_ = sums_;
  take(first, count, t0);
  done = count;
  if (is_finite()) return Status::success;
  // A number that is not finite stays so. The steps are made again to find the one in which this happened.
  sums_ = before_;
  for (done = 0; done < count; ++done) {
    before_ = sums_;
    take(first + done, 1, t0);
    if (!is_finite()) break;
  }
  sums_ = before_;
  explain(first + done == 0 ? t0 : t0 + static_cast<double>(first + done) * h, h);
  return Status::not_finite;
}

bool ExplicitStepper::is_finite() const {
  double sum = 0;
  for (std::size_t i = 0; i < step_.loop.sums(); ++i) sum += sums_[i] * 0;
  return sum == 0;
}

/// Sets the reason, and names a smaller step that would do if there is one.
void ExplicitStepper::explain(double t, double h) {
  constexpr int halvings = 40;
  reason_ = fmt::format("the state after a step of {:.6g} is not finite", h);
  for (int k = 1; k <= halvings; ++k) {
    set_step(std::ldexp(h, -k));
    take(0, 1, t);
    const bool fine = is_finite();
    sums_ = before_;
    if (!fine) continue;
    reason_.remedy = fmt::format("a step of {:.3g} would do there", std::ldexp(h, -k));
    return;
  }
}

void ExplicitStepper::recover_velocity(double t) {
  step_.velocity(at_time(t), run_.parameters.data(), out_.data(), work_.data());
  std::copy_n(sums_.begin(), carried_, last_state_.begin());
  std::copy_n(out_.begin(), n_, last_state_.begin() + static_cast<std::ptrdiff_t>(n_));
}

Status ExplicitStepper::sample(double t, Sample& sample) {
  recover_velocity(t);
  sample.t = t;
  std::copy(last_state_.begin(), last_state_.end(), sample.state.begin());
  sample.log_factor = log_factor();
  for (std::size_t k = 0; k < sample.budget.size(); ++k)
    sample.budget[k] = initial_budgets_[k] * std::exp(-log_factor());
  for (std::size_t j = 0; j < driven_ && !sample.budget.empty(); ++j)
    sample.budget[step_.driven[j]] = sums_[carried_ + j];
  return Status::success;
}

void ExplicitStepper::follow(const FixedStepper& other) {
  const auto& leader = static_cast<const ExplicitStepper&>(other);
  sums_ = leader.sums_;
  initial_budgets_ = leader.initial_budgets_;
}

std::span<const double> ExplicitStepper::last_state() {
  recover_velocity(u_[carried_]);
  return last_state_;
}

Outcome run_explicit(const Run& run, const ExplicitKernels& step, std::span<const double> composition) {
  ExplicitStepper stepper(run, step, composition);
  return drive_fixed_steps(run, stepper);
}

}  // namespace herglotz::integrate
