#pragma once
/// Explicit Runge-Kutta steps of one size in lanes.

#include "drive/method.hpp"

namespace herglotz::integrate {

/// Returns the form that makes steps by the loop wide.motion.steps.
LaneForm runge_kutta_lanes();

}  // namespace herglotz::integrate
