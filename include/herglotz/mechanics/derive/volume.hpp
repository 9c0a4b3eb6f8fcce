#pragma once
/// The rate at which a motion changes the volume of phase space.

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// The column that has this rate on demand.
inline constexpr const char* volume_column = "volume_rate";

/// Returns the divergence of the motion by the volume dx dp dz = det W dx dy dz [LJL21, Prop. 5],
///   (r + 1) L_z + y^a (d rho^i_a/dx^i + c^j_aj) + tr(F_y W^-1),
/// as a function of the state; with two anchors or a bracket that is not skew, and y(x, p, z),
///   + (rho - sigma)^i_a dy^a/dx^i + c^k_ij p_k dy^i/dp_j.
/// `equations` are the result of `derive`. Nonholonomic constraints add their force lambda_A Phi^A_y to F, with
/// lambda(x, w, z, t) such that Phi stays what it is around Phi = 0, too: the divergence of P(Gamma) [LJL21, Prop. 12],
/// which at Phi = 0 is the rate of the volume omega along the constraints with dPhi ^ omega = dx dp dz. Throws Refused
/// for the vakonomic rule, and SingularMatrix or Refused for constraints that depend on one another everywhere.
Expr volume_rate(const System& system, const Equations& equations);

}  // namespace herglotz::mechanics
