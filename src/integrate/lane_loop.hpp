#pragma once
/// The compiled motion in lanes: every lane has its own time and step, and takes the next run when it arrives.

#include "lane_traffic.hpp"

namespace herglotz::integrate {

void follow_loop(const Dynamics& dynamics, const kernel::AdaptiveLoop& loop, const LoopLanes& how,
                 LaneTraffic& traffic);

}  // namespace herglotz::integrate
