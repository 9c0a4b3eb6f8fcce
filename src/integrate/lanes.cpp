#include "herglotz/integrate/lanes.hpp"

#include "herglotz/error.hpp"
#include "herglotz/integrate/device_runs.hpp"
#include "registry.hpp"

namespace herglotz::integrate {

int lanes_at_once(const Dynamics& wide, const Settings& settings) {
  // Runs in lanes would all have to end a step at a break.
  if (!settings.breaks.empty()) return 1;
  const Method* method = registered_method(settings.method);
  const std::size_t width = method != nullptr && method->lanes.width ? method->lanes.width(wide, settings) : 0;
  return width == 0 ? 1 : static_cast<int>(width);
}

bool runs_in_lanes(const Dynamics& wide, const Settings& settings) {
  return lanes_at_once(wide, settings) > 1;
}

bool integrate_lanes(const Dynamics& dynamics, const Dynamics& wide, const Settings& settings, const LaneRuns& runs) {
  if (!runs_in_lanes(wide, settings)) throw Refused("these runs have no form for lanes", "ask runs_in_lanes() first");
  return registered_method(settings.method)->lanes.run({dynamics, wide, settings, runs});
}

bool runs_on_device(const MethodInfo& method, const Dynamics& dynamics) {
  const Method* registered = registered_method(method.name);
  const bool in_place = method.needs != Requirement::verlet || dynamics.verlet;
  return registered != nullptr && registered->on_device && in_place;
}

bool integrate_on_device(const Dynamics& dynamics, const DeviceMotion& device, const Settings& settings,
                         const LaneRuns& runs) {
  const Method* method = registered_method(settings.method);
  if (method == nullptr || !runs_on_device(method->info, dynamics))
    throw Refused("this method has no form for devices", "ask runs_on_device() first", "method");
  return method->on_device({dynamics, device, settings, runs});
}

}  // namespace herglotz::integrate
