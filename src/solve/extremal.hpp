#pragma once
/// Extremals one point or one step at a time: states and costates together, with the controls that make K stationary.

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

/// Whether controls and multipliers are solved for, or taken from the start.
enum class Controls { stationary, given };

/// The stage with w and kappa such that K_w = 0 for what is not held and C = 0, by Newton's method from what is there;
/// nothing where that fails or the controls are not determined.
std::optional<Stage> stationary(const Setup& setup, const Stage& start, const std::vector<Hold>& held);

struct StepEnd {
  Values v;
  Values P;
};
/// The end of one step of the method from the start of the interval `guess`: dv/dt = F, dP/dt = -K_v. The interval
/// gives stages to start from, and controls where these are given.
std::optional<StepEnd> extremal_step(const Setup& setup, const Collocation& method, const Interval& guess,
                                     const std::vector<Hold>& held, double h, Controls controls);

/// The same with stationary controls where K determines them; with those of the interval where a control that H is
/// linear in is not held, where one comes to its bound, or where that fails.
std::optional<StepEnd> best_step(const Setup& setup, const Collocation& method, const Interval& guess, double h);

/// Of each interval, how far a step of the next order ends from it, in states and costates relative to their sizes.
std::vector<double> local_errors(const Setup& setup, const Path& path);

}  // namespace herglotz::solve
