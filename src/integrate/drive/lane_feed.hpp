#pragma once
/// Interface between runs and code for lanes. It passes plain numbers, since code for lanes is compiled for other
/// registers.

#include <array>
#include <cstddef>

#include "drive/error_control.hpp"
#include "herglotz/integrate/dynamics.hpp"

namespace herglotz::integrate {

class LaneFeed {
 public:
  virtual ~LaneFeed() = default;
  /// Returns the parameters of all lanes, lane-minor.
  [[nodiscard]] virtual const double* parameters() const = 0;
  /// Puts the next run into a lane and writes its start. Returns false if there are no more runs.
  virtual bool fill(int lane, double& t, double* y) = 0;
  /// Returns the time of the lane's next sample.
  [[nodiscard]] virtual double due(int lane) const = 0;
  /// Takes the state of a lane at (t, y), where a sample is due. Returns false if the run of the lane is over, or if
  /// all runs are stopped.
  virtual bool arrive(int lane, double t, const double* y) = 0;
  /// Moves y onto the constraints and adds the work of that to the budgets. Returns false if this fails.
  virtual bool project(int lane, double t, double* y) = 0;
  /// Returns the sizes that the groups of the lane's run are expected to have soon; see sizes_soon().
  [[nodiscard]] virtual std::array<double, ErrorControl::groups> sizes(int lane) const = 0;
  /// Returns dL/dz at the start of the lane's run.
  [[nodiscard]] virtual double dissipation(int lane) const = 0;
  /// Counts accepted steps of a lane, the last of which ended at t. Returns false if steps like these come to no end.
  virtual bool count(int lane, std::size_t steps, double t) = 0;
  /// Ends the lane's run, which cannot be continued in lanes.
  virtual void eject(int lane) = 0;
  [[nodiscard]] virtual bool stopped() const = 0;
  /// Returns whether to go on, to be asked now and then in long runs. If it is false, all runs stop.
  virtual bool proceed() = 0;
};

struct AdaptiveLanes {
  ErrorControl control;
  double t_end = 0;
  bool constrained = false;
};

/// Follows all runs in W lanes. Compiled for W = 4 and 8, for registers of that width.
template <int W>
void follow_adaptive(const Dynamics& wide, const AdaptiveLanes& how, LaneFeed& traffic);

}  // namespace herglotz::integrate
