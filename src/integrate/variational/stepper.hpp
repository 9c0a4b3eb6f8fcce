#pragma once
/// Single runs of variational methods: starts, samples, and the reasons why a step fails.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "drive/fixed_step.hpp"
#include "motion/fill_sample.hpp"
#include "motion/legendre_boundary.hpp"
#include "variational/carried_state.hpp"

namespace herglotz::integrate {

/// Stepper by a Step that has a CarriedState<double>. A method adds explain() and copy().
template <class Step>
class VariationalStepper : public FixedStepper {
 public:
  Status start() override {
    CarriedState<double>& carried = step_.carried();
    std::vector<double> last(run_.dynamics.dimension());
    std::vector<double> sums(carried.size());
    LegendreBoundary ends(run_.dynamics, run_.parameters);
    const Status status = ends.start(run_.t0, run_.state, last.data(), sums.data());
    carried.set(0, last.data(), sums.data());
    if (status != Status::success) reason_ = ends.reason();
    return status;
  }
  Status step(double t, double h) override { return step_.step(t, h, true) ? Status::success : refuse(explain(t, h)); }
  Status sample(double t, Sample& sample) override {
    CarriedState<double>& carried = step_.carried();
    if (!carried.recover_velocity(t, true)) return refuse(explain_velocity(t));
    fill_sample(sample, t, carried.last_state(), carried.data() + carried.log_factor());
    return Status::success;
  }
  void follow(const FixedStepper& other) override { step_.follow(static_cast<const VariationalStepper&>(other).step_); }
  [[nodiscard]] std::span<const double> last_state() override {
    return {step_.carried().last_state(), run_.dynamics.dimension()};
  }
  [[nodiscard]] const Reason& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return step_.iterations(); }

 protected:
  VariationalStepper(const Run& run, Step step) : run_(run), step_(std::move(step)) {}

  /// Returns the reason why the last step, from t to t + h, failed.
  virtual Stop explain(double t, double h) = 0;

  /// Returns what is singular at the last state as "<problem><where>", or `otherwise` if nothing is singular.
  Stop explain_iteration(double t, const std::string& where, Reason otherwise) {
    if (Stop stop = singularity(run_.dynamics, run_.parameters, t, last_state()); stop.status != Status::success)
      return {stop.status, {stop.reason.problem + where, stop.reason.remedy}};
    return {Status::not_converged, std::move(otherwise)};
  }
  Stop explain_velocity(double t) {
    if (step_.carried().recovery().not_finite()) return {Status::not_finite, "the momenta are not finite"};
    return explain_iteration(t, "", "Newton's method did not recover w from the momenta");
  }
  static Reason not_solved(double h, double last_update) {
    return {
        fmt::format("Newton's method did not solve the discrete Herglotz equations in a step of {:.3g} (last relative "
                    "update {:.2g})",
                    std::abs(h), last_update),
        "take a smaller step"};
  }

  const Run run_;
  Step step_;

 private:
  Status refuse(Stop stop) {
    reason_ = std::move(stop.reason);
    return stop.status;
  }

  Reason reason_;
};

}  // namespace herglotz::integrate
