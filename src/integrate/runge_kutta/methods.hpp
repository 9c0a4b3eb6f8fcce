#pragma once
/// The explicit Runge-Kutta methods and Taylor polynomials, compiled together with the motion.

#include <memory>
#include <vector>

#include "drive/adaptive.hpp"
#include "drive/method.hpp"
#include "motion/set_method.hpp"

namespace herglotz::integrate {

std::vector<Method> runge_kutta_methods();

std::vector<SetMethod> runge_kutta_set_methods();

/// Returns the solver of `reference` at the start of a run. The run and its right side must outlive it.
std::unique_ptr<AdaptiveSolver> reference_solver(const Run& run, RightSide& right_side, const std::vector<double>& y0);

// The states of these runs stay on a final set unless it is nullptr.

Outcome run_reference(const Run& run, const FinalSet* set = nullptr);
Outcome run_taylor(const Run& run, const FinalSet* set = nullptr);
/// Computes a run with steps of one size, of order 4 or 8.
Outcome run_runge_kutta(const Run& run, int order, const FinalSet* set = nullptr);

}  // namespace herglotz::integrate
