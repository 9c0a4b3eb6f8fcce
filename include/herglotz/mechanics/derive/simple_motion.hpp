#pragma once
/// Motions whose rates take fewer operations.

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Returns the motion with those rates simplified (symbolic::simplify) that straight-line code then computes in fewer
/// operations, counted over all outputs with what they share. Scales and checks stay. Rates with kinks, jumps or
/// tables, and motions of more than a few dozen operations, stay as well: their derivation would take longer than short
/// runs. y' changes by round-off alone.
MotionProgram simplified(MotionProgram motion);

}  // namespace herglotz::mechanics
