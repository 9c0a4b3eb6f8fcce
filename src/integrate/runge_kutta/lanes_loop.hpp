#pragma once
/// The compiled motion in lanes: every lane has its own time and step, and takes the next run when it arrives.

#include "drive/lane_feed.hpp"
#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

void follow_loop(const Dynamics& dynamics, const kernel::AdaptiveLoop& loop, const Settings& settings,
                 LaneTraffic& traffic);

}  // namespace herglotz::integrate
