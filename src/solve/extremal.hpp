#pragma once
/// Computation of extremals, at points or by single steps: states and costates together, with the controls that make K
/// stationary.

#include <optional>
#include <span>
#include <vector>

#include "collocation.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// K = P.F + kappa.C + delta.D at a point, with its derivatives.
struct Point {
  Values F;
  Values along;  ///< C, then D
  double K = 0;
  Values K_v;
  Values K_w;
  double K_t = 0;
};
Point evaluate(const Setup& setup, const Stage& at);
/// Returns the points of many stages at once.
std::vector<Point> evaluate(const Setup& setup, std::span<const Stage* const> stages);

/// Returns the stage with w and kappa such that C = 0 and K_w = 0 for the variables that are not held, by Newton's
/// method from `start`. Returns `std::nullopt` if the method fails or the controls are not determined.
std::optional<Stage> stationary(const Setup& setup, const Stage& start, const std::vector<Hold>& held);

/// A stage, and the holds of its controls.
struct StageAndHold {
  Stage stage;
  const std::vector<Hold>* held;
};
/// Returns the stationary stages of many starts at once.
std::vector<std::optional<Stage>> stationary(const Setup& setup, std::span<const StageAndHold> starts);

struct StepEnd {
  Values v;
  Values P;
};
/// Returns the end of one step of a method of Gauss from the start of the interval `guess`: dv/dt = F, dP/dt = -K_v,
/// with stationary controls if K determines them. The controls of the interval are used if there are inequalities, if a
/// control in which H is linear is not held, if a control comes to its bound, or if the step with stationary controls
/// fails. The interval gives the first guess of the stages. Returns `std::nullopt` if the step fails.
std::optional<StepEnd> best_step(const Setup& setup, const Collocation& method, const Interval& guess, double h);

/// Distances of the ends of intervals from those of steps by the method with one stage more.
struct LocalErrors {
  std::vector<double> of_intervals;  ///< largest in states and costates, relative to their sizes
  double of_cost = 0;                ///< the first-order effect of all on the cost; infinite if a step fails
};
LocalErrors local_errors(const Setup& setup, const Path& path);

}  // namespace herglotz::solve
