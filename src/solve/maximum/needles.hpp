#pragma once
/// Paths with better controls for some time, from which a problem is solved again.

#include <optional>

#include "maximum/maximum_condition.hpp"
#include "start/warm_start.hpp"

namespace herglotz::solve {

/// Where better controls are taken: everywhere, or in the middle third of the time.
enum class Needles { everywhere, middle };

/// Returns a path with better controls where they are known, on arcs of their own whose durations are unknowns: needle
/// variations of finite length. With those in the middle alone, other controls may still lead to the conditions at the
/// ends. Where the controls of such a path would jump too often, it has those that are best where H rises most, and
/// means of the others around them. Returns no value if the better controls jump too often everywhere.
std::optional<WarmStart> with_needles(const WarmStart& found, const MaximumCondition& condition, Needles needles);

}  // namespace herglotz::solve
