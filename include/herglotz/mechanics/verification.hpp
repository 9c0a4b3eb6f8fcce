#pragma once
/// Values that verify a run in addition to its balance laws.

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Returns the sum of the |terms| of dQ/dt for each law of balance_laws, in its order: dp/dt and ds/dt term by term,
/// and the source. If the terms cancel, rounding leaves a modest multiple of the unit round-off times this sum. If
/// entries of a section depend on the same base coordinates, each also counts with the forces on the others, because an
/// entry that is 0 at an attitude is known only to their rounding.
std::vector<Expr> rate_terms(const System& system, const Equations& equations, const std::vector<BalanceLaw>& laws);

/// Returns the sum of the |terms| of which Q is computed from the state, for each law of balance_laws. Inside a
/// function they are those of its argument times its slope: at theta = pi/2 the term nu cos(theta) is 0, and known to
/// eps nu theta. Entries of a section mix as in rate_terms. Only momenta have it: the terms of the energy are the
/// yardstick of its residual themselves.
std::vector<Expr> value_terms(const System& system, const Equations& equations, const std::vector<BalanceLaw>& laws);

/// Returns the program of the rate terms of each law, of their value terms, and of the value of each invariant of the
/// system. With constraints or friction it goes on with the sum of the |terms| of each dp_a/dt, and each W_aa.
symbolic::Program verification_program(const System& system, const Equations& equations,
                                       const std::vector<BalanceLaw>& laws);

}  // namespace herglotz::mechanics
