// Compiled for registers of 8 doubles; called on machines that have them.
#include "runge_kutta/lanes_adaptive.hpp"

namespace herglotz::integrate {

void follow_adaptive_8(const Dynamics& wide, const AdaptiveLanes& how, LaneTraffic& traffic) {
  AdaptiveInLanes<8>(wide, how, traffic)();
}

}  // namespace herglotz::integrate
