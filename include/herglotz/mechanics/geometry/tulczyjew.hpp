#pragma once
/// Tulczyjew's picture: the algebroid as a map eps: T*E -> TE*, and the differential of a Lagrangian. [GG08, Secs. 2,
/// 3].

#include "herglotz/mechanics/system.hpp"

namespace herglotz::mechanics {

/// A vector of TE*, at the point (x, p).
struct DualVector {
  std::vector<Expr> p;      ///< (r)
  std::vector<Expr> x_dot;  ///< (n)
  std::vector<Expr> p_dot;  ///< (r)
};

/// Returns eps of the covector alpha_i dx^i + p_a dy^a at (x, y):
///   x_dot = rho y,   p_dot_j = c^k_ij y^i p_k + sigma^i_j alpha_i. [GG08, Eq. 2.3].
DualVector algebroid_map(const System& system, const std::vector<Expr>& alpha, const std::vector<Expr>& p);

/// Returns the Tulczyjew differential Lambda_L = eps . dL as functions on E [GG08, Eq. 3.1]; with vakonomic constraints
/// eps . d(L - nu Phi) on Phi = 0 [GG08, Eq. 5.5]. Its base point is the Legendre map lambda_L. A path without forces
/// is a motion of [GG08] if Lambda_L along it is the velocity of lambda_L along it; Herglotz' principle adds L_z p.
/// Throws Refused for a Hamiltonian.
DualVector tulczyjew_differential(const System& system);

}  // namespace herglotz::mechanics
