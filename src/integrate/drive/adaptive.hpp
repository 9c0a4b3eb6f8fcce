#pragma once
/// What the adaptive methods share: error weights, sampling and the loop over accepted steps.

#include <span>
#include <vector>

#include "motion/right_side.hpp"
#include "motion/run.hpp"

namespace herglotz::integrate {

/// Error weights 1 / (e (|y_i| + a_i)) of y = (x, w, z, nu, log lambda, g). The absolute part a_i keeps components
/// that vanish from forcing the step: 1e-3 of the largest value that the group of x, of w, of z or of nu has had, but
/// no less than 1e-6 of the largest in the whole state, and so much that e a_i is not below the round-off of that
/// largest value, from which projection and implicit steps determine small ones such as nu near 0; 1 for log lambda,
/// whose absolute error is the relative error of lambda; for a budget 1e-3 of the largest term of its law. If
/// everything is zero, a_i is 1. The local relative error e is a tenth of the tolerance, for the global one to come out
/// near the tolerance.
class ErrorWeights {
 public:
  ErrorWeights(const Dynamics& dynamics, RightSide& right_side, double tolerance);
  void operator()(double t, const double* y, double* weights);

 private:
  const Dynamics* dynamics_;
  RightSide* right_side_;
  double local_;
  double group_[4] = {0, 0, 0, 0};
  std::vector<double> law_;
};

/// An adaptive solver that has been set up at t0; failures are raised as Stop.
class AdaptiveSolver {
 public:
  virtual ~AdaptiveSolver() = default;
  /// Accepted steps that do not pass t_stop: one, or some of `most` if a solver makes many at a time. Returns how many.
  virtual std::size_t step(double t_stop, std::size_t most) = 0;
  [[nodiscard]] virtual double t() const = 0;
  [[nodiscard]] virtual const double* y() const = 0;
  /// The size of the last step.
  [[nodiscard]] virtual double step_size() const = 0;
  /// Whether `between` knows the states inside the last step at the method's own order. If not, samples are reached by
  /// steps that end there.
  [[nodiscard]] virtual bool dense() const = 0;
  virtual const double* between(double t) = 0;
  /// The state at a time in the last step, which began at (t0, y0), as accurate as the method.
  virtual const double* within(double t0, const std::vector<double>& y0, double t) = 0;
  virtual void count(Outcome& outcome) const = 0;
};

/// Why a run ends at y whose steps, of size h now, have stayed below the resolution of t: constraints that become
/// dependent, a state that grows without bounds, or a motion that is not smooth there.
Stop creeping(const Run& run, double h, double t, const double* y);

/// Follows the motion to t_end and hands out the samples; those between steps are projected onto the constraints.
Outcome follow(const Run& run, RightSide& right_side, const std::vector<double>& y0, AdaptiveSolver& solver);

/// The same with a solver still to be made; a failure to make it is an outcome too.
template <typename Make>
Outcome follow_with(const Run& run, RightSide& right_side, const std::vector<double>& y0, Make make) {
  try {
    const auto solver = make();
    return follow(run, right_side, y0, *solver);
  } catch (const Stop& stop) {
    Outcome outcome;
    conclude(outcome, run.dynamics, stop, run.t0, run.state);
    return outcome;
  }
}

}  // namespace herglotz::integrate
