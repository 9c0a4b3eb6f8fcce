#pragma once
/// A motion in a fictitious time tau with dt = s(x, z, t) dtau, as a contact system on the space with time in it.

#include <vector>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// System in the time tau. With H the contact Hamiltonian and e conjugate to t, K = s (H + e) on E x TR has, on its
/// zero level, the motion of H in the time tau:
///   dx/dtau = s rho y, dt/dtau = s, dp/dtau = s f - sigma^T s_x (E + e) + L_z' p, dz/dtau = s L,
///   de/dtau = -s source - s_t (E + e) + L_z' e,  L_z' = s L_z - s_z (E + e),
/// where E is the energy and source is the source of its law; e = -E at the start, and E + e = 0 along the motion. A
/// method that is conformal contact in (x, t; p, e; z) stays so while the steps in t vary. After the transformations of
/// Sundman and Poincare: [HLW06, Sec. VIII.2].
struct TimeTransformation {
  System system;                 ///< base (x, t), fibre part (w, e), time tau; only what programs need is set
  Equations equations;           ///< u = (x, t, w, e, z, tau)
  std::vector<BalanceLaw> laws;  ///< the given laws in the time tau
};

/// Transforms a system to the time tau. Throws Refused for constrained systems.
TimeTransformation transform_time(const System& system, const Equations& equations, const std::vector<BalanceLaw>& laws,
                                  const Expr& s);

}  // namespace herglotz::mechanics
