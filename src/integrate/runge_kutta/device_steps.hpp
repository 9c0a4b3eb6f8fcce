#pragma once
/// Runge-Kutta methods and Taylor polynomials on a device.

#include "drive/method.hpp"

namespace herglotz::integrate {

/// Follows runs whose steps have one size.
bool stepped_on_device(const DeviceProblem& problem);
/// Follows runs whose steps are adaptive.
bool adaptive_on_device(const DeviceProblem& problem);

}  // namespace herglotz::integrate
