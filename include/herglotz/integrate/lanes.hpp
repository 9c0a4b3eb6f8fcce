#pragma once
/// Many runs of one method in the lanes of vector kernels, bit for bit those of integrate().

#include <cstddef>
#include <functional>
#include <span>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Where runs come from and where their samples go. Runs are known by numbers of the caller's.
struct LaneRuns {
  /// Starts another run: its number, parameters, start time and state, which satisfies the constraints. False when
  /// there are no more.
  std::function<bool(std::size_t& run, std::span<double> parameters, double& t0, std::span<double> state)> next;
  /// A sample of a run; samples of a run come in order. False stops all runs.
  std::function<bool(std::size_t run, const Sample& sample)> sample;
  /// A run has ended. `well`: at t_end. Otherwise something happened that only integrate() can explain; it has to be
  /// run again from its start, and its samples so far are void.
  std::function<void(std::size_t run, bool well, std::size_t steps)> done;
  /// Whether samples at starts are wanted; where not they may still come.
  bool starts = true;
  /// Asked now and then in long runs; false stops all of them. May be empty.
  std::function<bool()> proceed{};
};

/// Whether runs of this method and system have a form for lanes; else integrate() is to be used.
bool runs_in_lanes(const Dynamics& wide, const Settings& settings);

/// How many runs are under way at once: the lanes of the kernels, or twice as many; 1 where runs_in_lanes() is false.
int lanes_at_once(const Dynamics& wide, const Settings& settings);

/// Runs all of them to settings.t_end. `dynamics` has kernels of one lane, `wide` those of 4 or 8. False where a sample
/// stopped them. Throws std::invalid_argument where runs_in_lanes() is false.
bool integrate_lanes(const Dynamics& dynamics, const Dynamics& wide, const Settings& settings, const LaneRuns& runs);

}  // namespace herglotz::integrate
