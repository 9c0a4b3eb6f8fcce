#pragma once
/// The explicit Runge-Kutta methods and Taylor polynomials, compiled together with the motion.

#include <vector>

#include "drive/method.hpp"
#include "herglotz/integrate/final_set.hpp"

namespace herglotz::integrate {

std::vector<Method> runge_kutta_methods();

Outcome run_reference(const Run& run);
/// Computes a run of `reference` whose steps, samples and crossings are moved onto the set.
Outcome run_reference_on(const FinalSet& set, const Run& run);
Outcome run_taylor(const Run& run);
/// Computes a run with steps of one size, of order 4 or 8.
Outcome run_runge_kutta(const Run& run, int order);

}  // namespace herglotz::integrate
