#pragma once
/// Values that verify a run in addition to its balance laws.

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Returns the sum of the |terms| of dQ/dt for each law of balance_laws, in its order: dp/dt and ds/dt term by term,
/// and the source. If the terms cancel, rounding leaves a modest multiple of the unit round-off times this sum.
std::vector<Expr> rate_terms(const System& system, const Equations& equations, const std::vector<BalanceLaw>& laws);

/// Returns the program of the rate terms of each law, then of the value of each invariant of the system.
symbolic::Program verification_program(const System& system, const Equations& equations,
                                       const std::vector<BalanceLaw>& laws);

}  // namespace herglotz::mechanics
