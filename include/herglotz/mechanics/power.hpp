#pragma once
/// The mechanical energy of a system and the powers that change it.

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

struct PowerTerm {
  std::string name;  ///< action, force, constraint, time, the name of a friction, bracket
  Expr value;
};

/// Mechanical energy and the terms of its rate. For L = L0(x, y, t) + L1(z, t) the mechanical energy is E0 = y.dL0/dy -
/// L0, kinetic and potential energy without the part that belongs to the action. Along the motion
///   dE0/dt = L_z p.y + F.y + (power of constraint forces) - dL0/dt + (bracket terms of a general algebroid),
/// and these are the terms, in this order; F.y is without frictions, each of which has a term of its own. The bracket
/// terms are left out if they vanish identically. For a Hamiltonian H = H0(x, p, t) + H1(z, t) the mechanical energy is
/// H0, with y = dH/dp.
struct PowerLedger {
  Expr mechanical_energy;
  std::vector<PowerTerm> terms;
};

/// Computes the ledger. Throws Refused with the reason if there is no such energy: the part of L with the
/// action also contains coordinates or velocities, or the rule is vakonomic.
PowerLedger power_ledger(const System& system, const Equations& equations);

/// Returns the columns of the ledger: "mechanical_energy", then "power.<name>" of each term.
std::vector<std::string> power_columns(const System& system);

}  // namespace herglotz::mechanics
