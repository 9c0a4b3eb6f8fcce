#pragma once
/// Radau IIA methods.

#include <memory>
#include <vector>

#include "drive/adaptive.hpp"
#include "drive/method.hpp"
#include "motion/set_method.hpp"

namespace herglotz::integrate {

std::vector<Method> radau_methods();
/// Returns whether dynamics have the kernels that radau-5 needs.
bool has_radau_kernels(const Dynamics& dynamics);
/// Returns the solver of radau-5 for the rest of a run, which is at (t0, y0). The run and its right side must outlive
/// it.
std::unique_ptr<AdaptiveSolver> radau_solver(const Run& run, RightSide& right_side, double t0,
                                             const std::vector<double>& y0);
std::vector<SetMethod> radau_set_methods();

}  // namespace herglotz::integrate
