#pragma once
/// The numbers by which compiled adaptive steps are controlled.

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Returns the control numbers of a loop for the settings of a run.
kernel::AdaptiveLoop::Control loop_control(const Dynamics& dynamics, const Settings& settings);

}  // namespace herglotz::integrate
