#pragma once
/// Method: its description, the function that computes one run, and its form for many runs in lanes.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "herglotz/integrate/device_runs.hpp"
#include "herglotz/integrate/lanes.hpp"
#include "motion/run.hpp"

namespace herglotz::integrate {

/// Many runs of one method. `dynamics` has kernels of one lane, `wide` has kernels of several.
struct LaneProblem {
  const Dynamics& dynamics;
  const Dynamics& wide;
  const Settings& settings;
  const LaneRuns& runs;
};

/// Functions by which a method follows many runs in lanes. Both are empty if the method has no such form.
struct LaneForm {
  /// Returns the number of runs that are followed at once, or 0 if these kernels and settings have no form for lanes.
  std::function<std::size_t(const Dynamics& wide, const Settings& settings)> width;
  /// Follows all runs to settings.t_end. Returns false if a sample stopped them.
  std::function<bool(const LaneProblem& problem)> run;
};

/// Many runs of one method on a device. `dynamics` has kernels of one lane.
struct DeviceProblem {
  const Dynamics& dynamics;
  const DeviceMotion& device;
  const Settings& settings;
  const LaneRuns& runs;
};

/// Follows all runs to settings.t_end. Returns false if a sample stopped them.
using DeviceForm = std::function<bool(const DeviceProblem& problem)>;

struct Method {
  MethodInfo info;
  std::function<Outcome(const Run& run)> run;
  LaneForm lanes{};
  DeviceForm on_device{};  ///< empty if the method has no form for devices
};

/// Returns the rules that a method declares if it honours every kind of constraint.
std::vector<std::string> every_constraint();

/// Returns the number of lanes of a kernel if code exists for it, and 0 otherwise.
constexpr std::size_t usable_width(int lanes) {
  return lanes == 4 || lanes == 8 ? static_cast<std::size_t>(lanes) : 0;
}

}  // namespace herglotz::integrate
