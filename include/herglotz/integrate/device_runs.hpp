#pragma once
/// Many runs of an explicit Runge-Kutta method whose steps a device takes, with the same bits as by integrate().

#include "herglotz/integrate/compiled_motion.hpp"
#include "herglotz/integrate/lanes.hpp"
#include "herglotz/kernel/device_loop.hpp"

namespace herglotz::integrate {

/// Motion of runs on a device. `motion` says what its entries are; its own loops are not used.
struct DeviceMotion {
  CompiledMotion motion;
  kernel::DeviceLoop loop;
};

/// Integrates all runs of a system without constraints to settings.t_end, as integrate_lanes() does; the schedule of
/// the settings may ask for any samples. Returns false if the runs were stopped.
bool integrate_on_device(const Dynamics& dynamics, const DeviceMotion& device, const Settings& settings,
                         const LaneRuns& runs);

}  // namespace herglotz::integrate
