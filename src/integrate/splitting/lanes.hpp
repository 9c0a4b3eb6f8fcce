#pragma once
/// Compositions of an explicit step in lanes: runs that start together go through the same steps.

#include <span>

#include "herglotz/integrate/lanes.hpp"

namespace herglotz::integrate {

/// As integrate_lanes(), with the steps of one lane and of several.
bool follow_explicit(const Dynamics& dynamics, const ExplicitStep& narrow, const ExplicitStep& wide,
                     std::span<const double> composition, const Settings& settings, const LaneRuns& runs);

}  // namespace herglotz::integrate
