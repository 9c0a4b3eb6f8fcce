#pragma once
/// The start of a derivation in a graph in which other things may have been derived before.

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Makes what is derived next independent of what was derived in the graph before: only operands inside the expressions
/// of the system count as shared (symbolic::Graph::forget_uses). `derive` does so itself.
void begin_derivation(const System& system);
/// Does the same for a derivation that begins with derived equations and laws of the system.
void begin_derivation(const System& system, const Equations& equations, const std::vector<BalanceLaw>& laws);

}  // namespace herglotz::mechanics
