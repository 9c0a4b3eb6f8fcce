#include "splitting/explicit_run.hpp"

#include <algorithm>
#include <cmath>

#include "herglotz/integrate/kernel_outputs.hpp"

namespace herglotz::integrate {

ExplicitRun::ExplicitRun(const Dynamics& dynamics, const ExplicitKernels& step)
    : dynamics_(&dynamics), step_(&step), n_(dynamics.n) {
  out_.resize(std::max({n_, step.driven.size(), BalanceOutputs::count(dynamics.laws)}));
  std::size_t work = dynamics.balance ? dynamics.balance.work_size() : 0;
  for (const auto* kernel : {&step.prepare, &step.momentum, &step.velocity, &step.sources})
    if (*kernel) work = std::max(work, kernel->work_size());
  work_.resize(work);
}

void ExplicitRun::start(std::span<const double> parameters, double t0, std::span<const double> state, Strided sums,
                        Strided budgets) {
  point_.assign(state.begin(), state.end());
  point_.push_back(t0);
  step_->momentum(point_.data(), parameters.data(), out_.data(), work_.data());
  for (std::size_t i = 0; i < carried(); ++i) sums[i] = i >= n_ && i < 2 * n_ ? out_[i - n_] : state[i];
  const std::size_t laws = dynamics_->laws;
  if (laws > 0) dynamics_->balance(point_.data(), parameters.data(), out_.data(), work_.data());
  for (std::size_t k = 0; k < laws; ++k) budgets[k] = out_[BalanceOutputs::quantity(k)];
  const std::size_t driven = step_->driven.size();
  if (driven == 0) return;
  for (std::size_t j = 0; j < driven && laws > 0; ++j) sums[carried() + j] = budgets[step_->driven[j]];
  for (std::size_t i = 0; i < carried(); ++i) point_[i] = sums[i];
  step_->sources(point_.data(), parameters.data(), out_.data(), work_.data());
  for (std::size_t j = 0; j < driven; ++j) sums[carried() + driven + j] = out_[j];
}

void ExplicitRun::sample(double t, Strided sums, Strided velocity, Strided budgets, Sample& sample) const {
  const std::size_t driven = step_->driven.size();
  sample.t = t;
  for (std::size_t i = 0; i < carried(); ++i) sample.state[i] = i >= n_ && i < 2 * n_ ? velocity[i - n_] : sums[i];
  sample.log_factor = sums[carried() + 2 * driven];
  for (std::size_t k = 0; k < dynamics_->laws; ++k) sample.budget[k] = budgets[k] * std::exp(-sample.log_factor);
  for (std::size_t j = 0; j < driven && dynamics_->laws > 0; ++j) sample.budget[step_->driven[j]] = sums[carried() + j];
}

void ExplicitRun::velocity(double t, Strided sums, const double* parameters, double* velocity) {
  point_.resize(carried() + 1);
  for (std::size_t i = 0; i < carried(); ++i) point_[i] = sums[i];
  point_.back() = t;
  step_->velocity(point_.data(), parameters, velocity, work_.data());
}

void ExplicitRun::prepare(double h, const double* parameters, double* constants) {
  if (step_->constants > 0) step_->prepare(&h, parameters, constants, work_.data());
}

}  // namespace herglotz::integrate
