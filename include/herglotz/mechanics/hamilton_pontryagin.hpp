#pragma once
/// The implicit equations of the Hamilton-Pontryagin-Herglotz principle. [ASC25, Thm 6.2].

#include "herglotz/mechanics/system.hpp"

namespace herglotz::mechanics {

/// Residuals in (x, v, p, z, t) and rates, without inverting the Legendre map, so that singular Lagrangians have them
/// too.
struct ImplicitEquations {
  std::vector<Expr> variables;  ///< x (n), velocities v (r), momenta p (r), z, t, then multipliers l (m)
  std::vector<Expr> rates;      ///< symbols of dx/dt (n), dp/dt (r), dz/dt
  /// dx/dt - rho v (n), p - dL/dy (r), dp/dt - c v p - sigma dL/dx - L_z p - F (r), dz/dt - L, Phi (m); each vanishes
  /// along an extremal. Nonholonomic constraints add - Phi_y^T lambda to the third; vakonomic constraints replace L by
  /// L - nu Phi in all but dz/dt - L.
  std::vector<Expr> residuals;
};

/// Derives the implicit equations of a Lagrangian system. Throws Refused for a Hamiltonian.
ImplicitEquations hamilton_pontryagin(const System& system);

}  // namespace herglotz::mechanics
