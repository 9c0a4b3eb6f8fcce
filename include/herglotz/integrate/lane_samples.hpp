#pragma once
/// Samples of runs in neighbouring lanes, taken together.

#include <cstddef>
#include <functional>
#include <span>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Samples of neighbouring lanes at one time. Runs that end leave their lane; its numbers are then unspecified.
struct LaneSamples {
  double t = 0;
  std::size_t first = 0;              ///< the first of these lanes
  std::span<const std::size_t> runs;  ///< run of each lane
  unsigned lanes = 0;                 ///< lanes with a sample, as bits
  bool fresh = false;                 ///< true if these are the first samples of the runs
  bool last = false;                  ///< true if these are the last ones
  /// State, log of the integrating factor and budgets, as in Sample; entry i of lane l is at [i * runs.size() + l].
  const double* numbers = nullptr;
  const double* parameters = nullptr;  ///< entry k of lane l is at [k * stride + l]
  std::size_t stride = 0;
};

/// Receiver of samples, to be given as LaneRuns::sample. Where a method has the samples of several lanes at one time
/// and the system has no multipliers, `together` receives those of `lanes` lanes at a time; otherwise `one` receives
/// them. Returning false stops all runs.
struct SampleReceiver {
  std::function<bool(std::size_t run, const Sample& sample)> one;
  std::function<bool(const LaneSamples& samples)> together{};
  std::size_t lanes = 0;

  bool operator()(std::size_t run, const Sample& sample) const { return one(run, sample); }
};

/// Returns whether the times of all samples are known in advance. They are not if a sample is due every few steps,
/// unless `every` is beyond all steps, which means that only the ends are sampled.
inline bool at_known_times(const Settings& settings) {
  return settings.schedule.every == 0 || settings.schedule.every >= settings.max_steps;
}

}  // namespace herglotz::integrate
