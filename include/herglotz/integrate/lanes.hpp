#pragma once
/// Many runs of one method in the lanes of vector kernels, with the same bits as by integrate().

#include <cstddef>
#include <functional>
#include <span>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Source of runs and receivers of their samples. The caller gives the runs numbers.
struct LaneRuns {
  /// Starts another run: its number, parameters, start time and state, which satisfies the constraints. Returns false
  /// if there are no more.
  std::function<bool(std::size_t& run, std::span<double> parameters, double& t0, std::span<double> state)> next;
  /// Receives a sample of a run; samples of a run come in order. Returning false stops all runs.
  std::function<bool(std::size_t run, const Sample& sample)> sample;
  /// Is called when a run has ended. `well` is true if it arrived at t_end. Otherwise only integrate() can explain what
  /// happened: the caller runs it again from its start and discards its samples so far.
  std::function<void(std::size_t run, bool well, std::size_t steps)> done;
  /// True if samples at starts are wanted; if false, they may still be emitted.
  bool starts = true;
  /// Is called now and then in long runs; returning false stops all runs. May be empty.
  std::function<bool()> proceed{};
};

/// Returns whether runs of this method and system have a form for lanes; if not, use integrate().
bool runs_in_lanes(const Dynamics& wide, const Settings& settings);

/// Returns the number of runs that are under way at once: the lanes of the kernels, or twice as many; 1 if
/// runs_in_lanes() is false.
int lanes_at_once(const Dynamics& wide, const Settings& settings);

/// Integrates all runs to settings.t_end. `dynamics` has kernels of one lane, `wide` has kernels of 4 or 8. Returns
/// false if the runs were stopped. Throws Refused if runs_in_lanes() is false.
bool integrate_lanes(const Dynamics& dynamics, const Dynamics& wide, const Settings& settings, const LaneRuns& runs);

}  // namespace herglotz::integrate
