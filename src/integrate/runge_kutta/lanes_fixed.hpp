#pragma once
/// Explicit Runge-Kutta steps of one size in lanes.

#include "herglotz/integrate/lanes.hpp"

namespace herglotz::integrate {

/// As integrate_lanes(), by the loop wide.motion.steps.
bool follow_runge_kutta(const Dynamics& dynamics, const Dynamics& wide, const Settings& settings, const LaneRuns& runs);

}  // namespace herglotz::integrate
