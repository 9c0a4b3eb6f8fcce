#pragma once
/// Many runs whose steps a device takes, with the same bits as by integrate().

#include "herglotz/integrate/compiled_loops.hpp"
#include "herglotz/integrate/lanes.hpp"
#include "herglotz/kernel/device_loop.hpp"

namespace herglotz::integrate {

/// Motion of runs on a device. `motion` says what its entries are, unless steps are composed of explicit ones.
struct DeviceMotion {
  CompiledLoops motion;     ///< its loop `adaptive`, if there is one, is that of the device
  kernel::DeviceLoop loop;  ///< of steps of one size; empty if steps are adaptive

  /// Returns the number of runs of a group.
  [[nodiscard]] std::size_t width() const {
    return motion.adaptive ? static_cast<std::size_t>(motion.adaptive.lanes()) : loop.width();
  }
};

/// Returns whether a method has a form for devices with these kernels of one lane.
bool runs_on_device(const MethodInfo& method, const Dynamics& dynamics);

/// Integrates all runs of a system without constraints to settings.t_end, as integrate_lanes() does; the schedule of
/// the settings may ask for any samples; if steps are adaptive, for samples at known times. `dynamics` has the kernels
/// of the method for one lane. Returns false if the runs were stopped. Throws Refused if runs_on_device() is false.
bool integrate_on_device(const Dynamics& dynamics, const DeviceMotion& device, const Settings& settings,
                         const LaneRuns& runs);

}  // namespace herglotz::integrate
