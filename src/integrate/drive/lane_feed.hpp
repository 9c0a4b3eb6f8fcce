#pragma once
/// What goes into lanes and comes out of them: plain numbers, since code for lanes is compiled for other registers.

#include <cstddef>

#include "drive/error_control.hpp"
#include "herglotz/integrate/dynamics.hpp"

namespace herglotz::integrate {

class LaneTraffic {
 public:
  virtual ~LaneTraffic() = default;
  /// The parameters of all lanes, lane-minor.
  [[nodiscard]] virtual const double* parameters() const = 0;
  /// Puts the next run into a lane and writes its start; false when there is none.
  virtual bool fill(int lane, double& t, double* y) = 0;
  /// The time of the lane's next sample.
  [[nodiscard]] virtual double due(int lane) const = 0;
  /// The lane has arrived where a sample is due, at (t, y). False when its run is over, or everything is.
  virtual bool arrive(int lane, double t, const double* y) = 0;
  /// Moves y onto the constraints, with the work of that. False where this fails.
  virtual bool project(int lane, double t, double* y) = 0;
  /// dL/dz at the start of the lane's run.
  [[nodiscard]] virtual double dissipation(int lane) const = 0;
  /// So many steps of a lane were accepted.
  virtual void count(int lane, std::size_t steps) = 0;
  /// The lane's run cannot be continued in lanes.
  virtual void eject(int lane) = 0;
  [[nodiscard]] virtual bool stopped() const = 0;
  /// To be asked now and then in long runs; false stops everything.
  virtual bool proceed() = 0;
};

struct AdaptiveLanes {
  ErrorControl control;
  double t_end = 0;
  bool constrained = false;
};

/// Follows all runs in W lanes. Compiled for W = 4 and 8, for registers of that width.
template <int W>
void follow_adaptive(const Dynamics& wide, const AdaptiveLanes& how, LaneTraffic& traffic);

}  // namespace herglotz::integrate
