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
/// Returns the solver of radau-5 for the rest of a run that began at y0 and is at (t, y). The run and its right side
/// must outlive it.
std::unique_ptr<AdaptiveSolver> radau_solver(const Run& run, RightSide& right_side, const std::vector<double>& y0,
                                             double t, const std::vector<double>& y);
std::vector<SetMethod> radau_set_methods();

}  // namespace herglotz::integrate
