#pragma once
/// Paths with better controls for some time, from which a problem is solved again.

#include <optional>

#include "maximum/maximum_condition.hpp"
#include "start/warm_start.hpp"

namespace herglotz::solve {

/// Where better controls are taken: everywhere, or in the middle third of the time. On a path whose controls jump often
/// those below the middle of the range of one control come first, as long as they last, then those above it, or the
/// other way round.
enum class Needles { everywhere, middle, rising, falling };

/// Returns a path with better controls where they are known, on arcs of their own whose durations are unknowns: needle
/// variations of finite length. With those in the middle alone, other controls may still lead to the conditions at the
/// ends; where they jump too often, they are those that are best where H rises most, and means of the others around
/// them. Returns no value if the better controls jump too often everywhere, or too seldom for a path of rising or
/// falling ones.
std::optional<WarmStart> with_needles(const WarmStart& found, const MaximumCondition& condition, Needles needles);

}  // namespace herglotz::solve
