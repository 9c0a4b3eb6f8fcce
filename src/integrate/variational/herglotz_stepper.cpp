#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groupoid/arrows.hpp"
#include "herglotz/error.hpp"
#include "variational/discrete_step.hpp"
#include "variational/herglotz.hpp"
#include "variational/stepper.hpp"

namespace herglotz::integrate {
namespace {

class DiscreteHerglotz final : public VariationalStepper<DiscreteHerglotzStep<double>> {
 public:
  explicit DiscreteHerglotz(const Run& run) : VariationalStepper(run, {run.dynamics, run.parameters.data()}) {}

  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override {
    return std::make_unique<DiscreteHerglotz>(*this);
  }

 private:
  Stop explain(double t, double h) override {
    if (step_.refused()) return refuse_factor(h);
    if (step_.velocity_missed()) return explain_velocity(t);
    if (step_.not_finite()) return {Status::not_finite, "the discrete Lagrangian is not finite in the step"};
    if (step_.singular())
      return {Status::singular_hessian,
              "the discrete Lagrangian is not regular: its Legendre transform F- is singular in the step"};
    return {Status::not_converged, not_solved(h, step_.last_update())};
  }
  Stop refuse_factor(double h) const {
    const double rate = std::max({-step_.D_z0(), step_.D_z1(), 1e-300}) / std::abs(h);
    return {Status::not_converged,
            {fmt::format("the step {:.3g} is too large for the dissipation: sigma_d = (1 + D_z0 L_d)/(1 - D_z1 L_d) = "
                         "{:.3g}/{:.3g} must be positive",
                         std::abs(h), 1 + step_.D_z0(), 1 - step_.D_z1()),
             take_a_step_below(1 / rate)}};
  }
};

}  // namespace

Outcome run_discrete_herglotz(const Run& run) {
  if (!run.dynamics.discrete || !run.dynamics.stage || !run.dynamics.stage_jacobian)
    throw Refused("method discrete-herglotz needs the kernels of a discrete Lagrangian",
                  "give a dynamics that has them");
  if (run.dynamics.groupoid) return run_arrows(run);
  DiscreteHerglotz stepper(run);
  return drive_fixed_steps(run, stepper);
}

}  // namespace herglotz::integrate
