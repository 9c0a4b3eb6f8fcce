#pragma once
/// The compiled motion in lanes: every lane has its own time and step, and takes the next run when it arrives.

#include "drive/lane_feed.hpp"
#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Follows all runs by the adaptive loop of a motion.
void follow_loop(const Dynamics& dynamics, const CompiledLoops& motion, const Settings& settings, LaneFeed& traffic);

}  // namespace herglotz::integrate
