#pragma once
/// Compositions of an explicit step on a device.

#include <span>

#include "drive/method.hpp"
#include "splitting/lanes.hpp"

namespace herglotz::integrate {

/// Returns the form of compositions of that step for devices. `composition` must outlive the form.
DeviceForm explicit_on_device(ExplicitStepOf step_of, std::span<const double> composition);

}  // namespace herglotz::integrate
