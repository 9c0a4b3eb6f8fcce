#include "groupoid/arrows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "drive/fixed_step.hpp"
#include "groupoid/arrow_step.hpp"
#include "groupoid/ends.hpp"
#include "groupoid/stepper.hpp"
#include "herglotz/error.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"

namespace herglotz::integrate {
namespace {

/// Stepper of one run. The state is (x, mu, z, log factor, budgets), with momenta along the frame in which the
/// structure is constant; budgets follow sigma_d, so that momenta of symmetries are dissipated by sigma_d to round-off.
class ArrowStepper final : public FixedStepper {
 public:
  explicit ArrowStepper(const Run& run)
      : run_(run),
        base_(run.dynamics.dimension()),
        step_(run.dynamics, run.parameters.data()),
        ends_(run.dynamics, run.parameters),
        v_(run.dynamics.variables()),
        balance_(BalanceOutputs::count(run.dynamics.laws)),
        work_(run.dynamics.balance ? run.dynamics.balance.work_size() : 0) {
    const GroupNumbers numbers(run.dynamics, run.parameters, RetractionKind::exponential);
    step_.take(numbers.structure, numbers.action);
    state_.resize(base_ + 1 + run.dynamics.laws);
  }

  Status start() override {
    std::vector<double> carried(base_ + 1 + run_.dynamics.laws);
    std::vector<double> xi(run_.dynamics.r);
    std::vector<double> multipliers;
    const Status status = ends_.start(run_.t0, run_.state, carried.data(), xi.data(), multipliers.data());
    if (status != Status::success) return refuse(status, ends_.reason());
    for (std::size_t i = 0; i < carried.size(); ++i) state_.set(i, carried[i]);
    step_.begin(xi);
    return status;
  }

  Status step(double t, double h) override {
    const Dynamics& d = run_.dynamics;
    if (d.laws > 0)
      if (const Status status = find_sources(t); status != Status::success) return status;
    if (!step_(state_, t, h)) {
      step_.forget();
      return explain(h);
    }
    const CompensatedVector before = state_;
    for (std::size_t i = 0; i < d.n; ++i) {
      state_.add(i, step_.dx(i));
      state_.add(i, step_.rounded(i));
    }
    for (std::size_t a = 0; a < d.r; ++a) state_.add(d.n + a, step_.dmu(a));
    state_.add(base_ - 1, step_.dz());
    state_.add(base_, -std::log1p(step_.sigma_less_1()));
    ends_.move_on();
    if (d.laws == 0) return Status::success;
    const double weight = step_.growth() / step_.loss() * h / 2;
    for (std::size_t k = 0; k < d.laws; ++k) {
      const std::size_t at = base_ + 1 + k;
      state_.add(at, step_.sigma_less_1() * state_[at] + weight * balance_[BalanceOutputs::source(k)]);
    }
    const Status status = find_sources(t + h);
    if (status != Status::success) {
      state_ = before;
      return status;
    }
    for (std::size_t k = 0; k < d.laws; ++k) state_.add(base_ + 1 + k, h / 2 * balance_[BalanceOutputs::source(k)]);
    return status;
  }

  Status sample(double t, Sample& sample) override {
    const Status status = ends_.arrive(t, state_.data(), step_.xi().data());
    if (status != Status::success) return refuse(status, ends_.reason());
    ends_.write(t, state_.data(), sample);
    return status;
  }
  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override { return std::make_unique<ArrowStepper>(*this); }
  void follow(const FixedStepper& other) override {
    const auto& leader = static_cast<const ArrowStepper&>(other);
    state_ = leader.state_;
    step_.begin(leader.step_.xi());
    ends_.follow(leader.ends_);
  }
  [[nodiscard]] std::span<const double> last_state() override {
    return ends_.last_state(state_.data(), step_.xi().data());
  }
  [[nodiscard]] const Reason& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return step_.iterations(); }

 private:
  /// Computes (L_z, then quantity, scale, source per law) at the state.
  Status find_sources(double t) {
    const Status status = ends_.arrive(t, state_.data(), step_.xi().data());
    if (status != Status::success) return refuse(status, ends_.reason());
    const auto state = ends_.last_state(state_.data(), step_.xi().data());
    std::copy(state.begin(), state.end(), v_.begin());
    v_[base_] = t;
    run_.dynamics.balance(v_.data(), run_.parameters.data(), balance_.data(), work_.data());
    return status;
  }

  Status explain(double h) {
    using enum ArrowStep::Failure;
    const double size = std::abs(h);
    switch (step_.failure()) {
      case turned:
        return refuse(
            Status::not_converged,
            {fmt::format("the step {:.3g} turns the group element beyond where exp is a local diffeomorphism", size),
             take_a_step_below(size / 2)});
      case lost:
        return refuse(
            Status::not_converged,
            {"the action of the group on the base could not be followed through the step", "take a smaller step"});
      case not_finite:
        return refuse(Status::not_finite, "the discrete Lagrangian is not finite in the step");
      case singular:
        return refuse(Status::singular_hessian,
                      "the discrete Lagrangian is not regular: its Legendre transform F- is singular in the step");
      case factor:
        return refuse(
            Status::not_converged,
            {fmt::format("the step {:.3g} is too large for the dissipation: sigma_d = (1 + D_z0 L_d)/(1 - D_z1 "
                         "L_d) = {:.3g}/{:.3g} must be positive",
                         size, step_.growth(), step_.loss()),
             "take a smaller step"});
      default:
        return refuse(Status::not_converged,
                      {fmt::format("Newton's method did not solve the discrete Herglotz equations in a step of {:.3g} "
                                   "(last relative update {:.2g})",
                                   size, step_.last_update()),
                       "take a smaller step"});
    }
  }
  Status refuse(Status status, Reason reason) {
    reason_ = std::move(reason);
    return status;
  }

  const Run run_;
  std::size_t base_;  // n + r + 1
  ArrowStep step_;
  GroupoidBoundary ends_;
  CompensatedVector state_;
  std::vector<double> v_;  // (x, w, z, t)
  std::vector<double> balance_;
  std::vector<double> work_;
  Reason reason_;
};

}  // namespace

Outcome run_arrows(const Run& run) {
  if (!run.dynamics.discrete || !run.dynamics.discrete.jacobian)
    throw Refused("method discrete-herglotz needs the kernels of a discrete Lagrangian",
                  "give a dynamics that has them");
  ArrowStepper stepper(run);
  return drive_fixed_steps(run, stepper);
}

}  // namespace herglotz::integrate
