#pragma once
/// Symplectic partitioned Runge-Kutta methods of the homogeneous lift, for every algebroid and every regular L. Theory,
/// Sec. 4.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "contact/scheme.hpp"
#include "contact/step.hpp"
#include "drive/fixed_step.hpp"
#include "herglotz/error.hpp"
#include "motion/fill_sample.hpp"
#include "motion/legendre_boundary.hpp"

namespace herglotz::integrate {

/// Stepper in the implicit Lagrangian form, which needs no inverse of w -> p. The velocity w is recovered from p when a
/// state is observed. With constraints the multipliers l_i are unknowns too and Phi = 0 at the stages. Differential
/// multipliers (vakonomic) only parametrise p; w and l are recovered from (x1, p1, z1). With algebraic multipliers
/// (nonholonomic) the step ends with the projection of x and p onto the constraints, without which it would lose order
/// [AP91]; the impulse of the projection does the work that the budgets miss.
template <int S, int Size>
class ContactRungeKutta final : public FixedStepper {
 public:
  ContactRungeKutta(const Run& run, const Tableau<S>& tableau, int kept)
      : run_(run), step_(run.dynamics, run.parameters.data(), tableau, kept), ends_(run.dynamics, run.parameters) {}

  Status start() override {
    std::vector<double> carried(step_.state_size());
    const Status status = ends_.start(run_.t0, run_.state, step_.last_state(), carried.data());
    for (std::size_t i = 0; i < carried.size(); ++i) step_.state().set(i, carried[i]);
    if (status != Status::success) reason_ = ends_.reason();
    return status;
  }

  Status step(double t, double h) override {
    if (!step_.step(t, h, true)) return explain(t, h);
    if (!step_.projects()) return Status::success;
    step_.begin_projection();
    if (!step_.project_directly(t + h, true)) {
      const Status status = ends_.project(t + h, step_.last_state(), step_.state().data(), step_.moves());
      if (status != Status::success) {
        reason_ = ends_.reason();
        return status;
      }
    }
    step_.end_projection();
    return Status::success;
  }

  Status sample(double t, Sample& sample) override {
    Status status = recover_velocity(t);
    if (status == Status::success) status = ends_.find_multipliers(t, step_.last_state());
    if (status != Status::success) {
      reason_ = ends_.reason();
      return status;
    }
    const StageLayout& layout = step_.equations().layout();
    const double* const last = step_.last_state();
    fill_sample(sample, t, last, step_.state().data() + layout.base);
    if (layout.m > 0) sample.multipliers.assign(last + layout.base, last + layout.size);
    return Status::success;
  }

  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override {
    return std::make_unique<ContactRungeKutta>(*this);
  }
  void follow(const FixedStepper& other) override { step_.follow(static_cast<const ContactRungeKutta&>(other).step_); }
  [[nodiscard]] std::span<const double> last_state() override {
    step_.take_positions();
    return {step_.last_state(), run_.dynamics.dimension()};
  }
  [[nodiscard]] const Reason& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return step_.iterations(); }

 private:
  /// Brings the last state to the end of the step: w (and a differential l) from the momenta.
  Status recover_velocity(double t) {
    if (step_.velocity_known()) {
      step_.take_positions();
      return Status::success;
    }
    step_.guess_end();
    const Status status = ends_.recover(t, step_.last_state(), step_.state().data());
    step_.velocity_known(status == Status::success);
    return status;
  }

  Status explain(double t, double h) {
    if (step_.converged() && step_.refused()) return refuse_factor(h);
    if (step_.converged() || step_.not_finite()) {
      reason_ = "the equations of motion are not finite in the step";
      return Status::not_finite;
    }
    const std::size_t dimension = run_.dynamics.dimension();
    const auto& equations = step_.equations();
    for (const auto& [time, state] :
         {std::pair{t + equations.tableau().c[0] * h, std::span<const double>(equations.unknowns())},
          std::pair{t, last_state()}}) {
      const Stop stop = singularity(run_.dynamics, run_.parameters, time, state.first(dimension));
      if (stop.status == Status::success) continue;
      reason_ = {stop.reason.problem + " in the step", stop.reason.remedy};
      return stop.status;
    }
    reason_ = iteration_not_converged(std::abs(h), step_.last_update());
    return Status::not_converged;
  }
  Status refuse_factor(double h) {
    double largest = 0;
    for (std::size_t i = 0; i < S; ++i) largest = std::max(largest, std::abs(step_.equations().rate(i)));
    reason_ = {
        fmt::format("the step {:.3g} is too large for the dissipation: the integrating factor of one step is not "
                    "positive (R = {:.3g})",
                    std::abs(h), step_.factor()),
        take_a_step_below(1 / largest)};
    return Status::not_converged;
  }

  const Run run_;
  ContactStep<double, S, Size> step_;
  LegendreBoundary ends_;
  Reason reason_;
};

/// Computes a run by a scheme of S stages, with code for exactly its number of unknowns if there is such code.
template <int S>
Outcome run_contact(const Run& run, ContactScheme scheme) {
  if (!run.dynamics.stage || !run.dynamics.stage_jacobian) {
    throw Refused("contact Runge-Kutta methods need the stage kernel and its Jacobian", "give dynamics that have them");
  }
  const std::size_t unknowns = run.dynamics.variables() - 1;
  const auto follow_as = [&]<int Size>(std::integral_constant<int, Size>) {
    ContactRungeKutta<S, Size> stepper(run, contact_tableau<S>(scheme.gauss), kept_iterations(scheme, unknowns));
    return drive_fixed_steps(run, stepper);
  };
  if constexpr (S <= 3) {
    if (has_own_code(scheme, unknowns)) {
      if (unknowns == 3) return follow_as(std::integral_constant<int, 3>{});
      if (unknowns == 4) return follow_as(std::integral_constant<int, 4>{});
      return follow_as(std::integral_constant<int, 5>{});
    }
  }
  return follow_as(std::integral_constant<int, 0>{});
}

// These are compiled once each, in stages.per_stages.cpp.
extern template Outcome run_contact<1>(const Run& run, ContactScheme scheme);
extern template Outcome run_contact<2>(const Run& run, ContactScheme scheme);
extern template Outcome run_contact<3>(const Run& run, ContactScheme scheme);
extern template Outcome run_contact<4>(const Run& run, ContactScheme scheme);
extern template Outcome run_contact<5>(const Run& run, ContactScheme scheme);
extern template Outcome run_contact<6>(const Run& run, ContactScheme scheme);

}  // namespace herglotz::integrate
