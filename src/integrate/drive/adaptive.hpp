#pragma once
/// Common parts of the adaptive methods: error weights, sampling and the loop over accepted steps.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motion/right_side.hpp"
#include "motion/run.hpp"

namespace herglotz::integrate {

/// Error weights 1 / (e (|y_i| + a_i)) of y = (x, w, z, nu, log lambda, g). The absolute part a_i keeps components that
/// vanish from forcing the step. In the groups x, w, z and nu it is 1e-3 of the largest value that the group has had.
/// It is at least 1e-6 of the largest value in the whole state, and e a_i is at least the round-off of that largest
/// value, because projection and implicit steps determine small components such as nu near 0 only to that round-off.
/// For log lambda, whose absolute error is the relative error of lambda, a_i is 1. For a budget it is 1e-3 of the
/// largest term of its law, with the same lower bounds. Sizes that are expected of the groups count
/// as if they had been there. If no entry has been above kernel::least_size, a_i is 1. The local relative error e is a
/// tenth of the tolerance, so that the global error comes out near the tolerance.
class ErrorWeights {
 public:
  ErrorWeights(const Dynamics& dynamics, RightSide& right_side, double tolerance);
  void operator()(double t, const double* y, double* weights);
  /// Takes sizes for the largest that x, w, z and nu have had.
  void expect(const std::array<double, 4>& sizes) { group_ = sizes; }

 private:
  const Dynamics* dynamics_;
  RightSide* right_side_;
  double local_;
  std::array<double, 4> group_{};
  std::vector<double> law_;
};

/// A component e^{-rt}, or e^{-rt} cos wt with w > 0, that the motion no longer shows.
struct Decay {
  double rate = 0;
  double frequency = 0;
  /// Returns what it is called in a sentence.
  [[nodiscard]] std::string text() const;
};

/// Adaptive solver of one run, which has been set up at t0. Its functions throw Stop on failure.
class AdaptiveSolver {
 public:
  virtual ~AdaptiveSolver() = default;
  /// Makes accepted steps that do not pass t_stop: one, or up to `most` if the solver makes many at a time. Returns
  /// their number.
  virtual std::size_t step(double t_stop, std::size_t most) = 0;
  /// Goes on at another time with the state reached. Slopes and polynomials of the time before are not used again.
  virtual void depart(double t) = 0;
  [[nodiscard]] virtual double t() const = 0;
  [[nodiscard]] virtual const double* y() const = 0;
  /// Returns the size of the last step.
  [[nodiscard]] virtual double step_size() const = 0;
  /// Returns whether between() computes states inside the last step at the order of the method. If not, samples are
  /// reached by steps that end there.
  [[nodiscard]] virtual bool dense() const = 0;
  virtual const double* between(double t) = 0;
  /// Returns the state at a time in the last step, which began at (t0, y0), as accurately as the method.
  virtual const double* within(double t0, const std::vector<double>& y0, double t) = 0;
  virtual void count(Outcome& outcome) const = 0;
  /// Returns the decay that the motion no longer shows and that keeps the steps short, if one does.
  [[nodiscard]] virtual std::optional<Decay> held_by() const { return std::nullopt; }
};

/// Returns the reason why a run ends at y, after its steps, now of size h, have stayed below the resolution of t:
/// constraints that become dependent, a state that grows without bounds, or a motion that is not smooth there.
Stop creeping(const Run& run, double h, double t, const double* y);

/// Follows the motion to t_end and emits the samples. Samples between steps are projected onto the constraints.
Outcome follow(const Run& run, RightSide& right_side, const std::vector<double>& y0, AdaptiveSolver& solver);

/// Follows the motion with the solver that make() returns. A Stop that make() throws becomes the outcome.
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
