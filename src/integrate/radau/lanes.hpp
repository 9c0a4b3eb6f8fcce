#pragma once
/// Radau IIA in lanes.

#include "drive/lane_feed.hpp"
#include "drive/method.hpp"

namespace herglotz::integrate {

/// Follows all runs in W lanes. Compiled for W = 4 and 8, for registers of that width.
template <int W>
void follow_radau(const Dynamics& wide, const AdaptiveLanes& how, LaneFeed& traffic);

LaneForm radau_lanes();

}  // namespace herglotz::integrate
