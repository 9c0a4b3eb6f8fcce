#pragma once
/// Compositions of an explicit step in lanes: runs that start together go through the same steps.

#include <span>

#include "drive/method.hpp"

namespace herglotz::integrate {

/// Function that returns the explicit step of a method among the kernels of a system.
using ExplicitStepOf = const ExplicitKernels& (*)(const Dynamics& dynamics);

/// Returns the form of compositions of that step in lanes. `composition` must outlive the form.
LaneForm explicit_lanes(ExplicitStepOf step_of, std::span<const double> composition);

}  // namespace herglotz::integrate
