#pragma once
/// Herglotz's principle as an ordinary constrained system with the action as one more coordinate. [LLMR21, Secs. 3-5].

#include "herglotz/mechanics/system.hpp"

namespace herglotz::mechanics {

/// Returns the system on E x T R with base (x, z) and fibre (y, <z>_dot). Its Lagrangian is the given L(x, y, z, t),
/// which does not contain <z>_dot. Its constraints are <z>_dot - L = 0, then the velocity constraints Phi of the given
/// system, all by `rule`. Its motions are the motions of the given system [LLMR21, Thms 1-4]:
///   nonholonomic: the multiplier of <z>_dot - L is -L_z, the others are lambda;
///   vakonomic: the multipliers are mu_0 and mu_k with mu_k = nu_k (1 + mu_0) and
///     d mu_0/dt = -(1 + mu_0) L_z + mu_k Phi^k_z,   so   1 + mu_0 = A exp(-int (L - nu Phi)_z), A != 0.
/// These are [LLMR21, Eqs. 39-45] derived again; they are printed there with the opposite sign of d mu_0/dt. Forces on
/// y stay as they are; under the vakonomic rule they are multiplied by 1 + mu_0. The new action, named W_<z>, is int L
/// and does not affect the motion. Velocity-free equations enter by their derivative, so a start has to satisfy them.
/// Symmetries and observables are not carried over. Throws Refused for a Hamiltonian, for Rule::none, for
/// a rule other than the rule of the system's constraints, and if the name <z>_dot or W_<z> is taken.
System with_action_as_coordinate(const System& system, Rule rule);

}  // namespace herglotz::mechanics
