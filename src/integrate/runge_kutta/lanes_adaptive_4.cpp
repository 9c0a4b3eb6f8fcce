// Compiled for registers of 4 doubles; called on machines that have them.
#include "runge_kutta/lanes_adaptive.hpp"

namespace herglotz::integrate {

void follow_adaptive_4(const Dynamics& wide, const AdaptiveLanes& how, LaneTraffic& traffic) {
  AdaptiveInLanes<4>(wide, how, traffic)();
}

}  // namespace herglotz::integrate
