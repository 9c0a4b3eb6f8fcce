#pragma once
/// Computation of extremals, one point or one step at a time: states and costates together, with the controls that make
/// K stationary.

#include <Eigen/LU>
#include <optional>

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

/// Choice whether controls and multipliers are solved for (`stationary`) or taken from the start (`given`).
enum class Controls { stationary, given };

/// Returns the stage with w and kappa such that C = 0 and K_w = 0 for the variables that are not held, by Newton's
/// method from `start`. Returns `std::nullopt` if the method fails or the controls are not determined.
std::optional<Stage> stationary(const Setup& setup, const Stage& start, const std::vector<Hold>& held);

/// Factors of the equations of one step, from which the next one begins: steps of one size along a path are alike.
using StepFactors = std::optional<Eigen::PartialPivLU<Eigen::MatrixXd>>;

struct StepEnd {
  Values v;
  Values P;
};
/// Returns the end of one step of the method from the start of the interval `guess`: dv/dt = F, dP/dt = -K_v. The
/// interval gives the first guess of the stages, and the controls if these are given. Returns `std::nullopt` if the
/// step fails. Newton's method begins with the factors, and replaces them where it needs others.
std::optional<StepEnd> extremal_step(const Setup& setup, const Collocation& method, const Interval& guess,
                                     const std::vector<Hold>& held, double h, Controls controls, StepFactors& factors);

/// Returns the end of a step with stationary controls if K determines them. The controls of the interval are used if
/// there are inequalities, if a control in which H is linear is not held, if a control comes to its bound, or if the
/// step with stationary controls fails.
std::optional<StepEnd> best_step(const Setup& setup, const Collocation& method, const Interval& guess, double h,
                                 StepFactors& factors);

/// Distances of the ends of intervals from those of steps by the method with one stage more.
struct LocalErrors {
  std::vector<double> of_intervals;  ///< largest in states and costates, relative to their sizes
  double of_cost = 0;                ///< the first-order effect of all on the cost; infinite if a step fails
};
LocalErrors local_errors(const Setup& setup, const Path& path);

}  // namespace herglotz::solve
