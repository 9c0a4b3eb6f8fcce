#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "herglotz/error.hpp"
#include "variational/galerkin.hpp"
#include "variational/galerkin_step.hpp"
#include "variational/stepper.hpp"

namespace herglotz::integrate {
namespace {

class ContactGalerkin final : public VariationalStepper<GalerkinStep<double>> {
 public:
  ContactGalerkin(const Run& run, const Polynomials& polynomials)
      : VariationalStepper(run, {run.dynamics, run.parameters.data(), *polynomials}), polynomials_(polynomials) {}

  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override { return std::make_unique<ContactGalerkin>(*this); }

 private:
  Stop explain(double t, double h) override {
    if (step_.refused()) return refuse_factor(h);
    if (step_.not_finite())
      return {Status::not_finite, "the Lagrangian or a derivative of it is not finite in the step"};
    return explain_iteration(t, " in the step", not_solved(h, step_.last_update()));
  }
  Stop refuse_factor(double h) const {
    double rate = 1e-300;
    for (std::size_t j = 0; j < polynomials_->nodes; ++j) rate = std::max(rate, std::abs(step_.equations().rate(j)));
    return {Status::not_converged,
            {fmt::format("the step {:.3g} is too large for the dissipation: the conformal factor sigma_d = {:.3g} of "
                         "the step and the weights of its nodes must be positive",
                         std::abs(h), 1 + step_.equations().sigma_minus_1()),
             take_a_step_below(1 / rate)}};
  }

  Polynomials polynomials_;
};

}  // namespace

Outcome run_galerkin(const Run& run, const Polynomials& polynomials) {
  const Dynamics& d = run.dynamics;
  if (!d.stage || !d.stage_jacobian)
    throw Refused("Galerkin methods need the stage kernel and its Jacobian", "give a dynamics that has them");
  if (!d.lagrangian || d.n != d.r || d.m > 0)
    throw Refused("Galerkin methods need a Lagrangian of velocities of the base, without constraints",
                  "give the dynamics of such a system");
  ContactGalerkin stepper(run, polynomials);
  return drive_fixed_steps(run, stepper);
}

}  // namespace herglotz::integrate
