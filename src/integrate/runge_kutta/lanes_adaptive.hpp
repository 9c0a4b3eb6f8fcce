#pragma once
/// Adaptive methods in lanes: every lane has its own time and step, and takes the next run when it arrives.

#include "drive/method.hpp"

namespace herglotz::integrate {

/// Returns the form that runs the compiled motion if there is one, and the steps of EmbeddedStep otherwise.
LaneForm reference_lanes();
/// Returns the form that runs the compiled motion with its Taylor polynomials.
LaneForm taylor_lanes();

}  // namespace herglotz::integrate
