#pragma once
/// Start of a derivation in a graph that may hold earlier derivations.

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Makes the next derivation independent of earlier derivations in the same graph: an operand counts as shared only if
/// the expressions of the system share it (symbolic::Graph::forget_uses). `derive` calls this function itself.
void begin_derivation(const System& system);
/// Does the same for a derivation that starts from the equations and the laws of the system.
void begin_derivation(const System& system, const Equations& equations, const std::vector<BalanceLaw>& laws);

}  // namespace herglotz::mechanics
