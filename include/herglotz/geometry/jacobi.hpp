#pragma once
/// Jacobi structures (Lambda, E), and the linear one on E* x R that every algebroid carries. [LJL21, Secs. 2, 7].

#include "herglotz/geometry/algebroid.hpp"
#include "herglotz/geometry/calculus.hpp"

namespace herglotz::geometry {

/// A contravariant 2-tensor Lambda and a vector field E with the bracket {f, g} = Lambda(df, dg) + f E(g) - g E(f). It
/// is almost Jacobi if Lambda is skew [LJL21, Def. 7], and Jacobi if the Jacobi identity holds too.
struct JacobiStructure {
  Bivector Lambda;
  VectorField E;

  [[nodiscard]] const Chart& u() const { return E.u; }
  /// Returns Lambda(alpha, .). [LJL21, Eq. 24].
  [[nodiscard]] VectorField sharp(const OneForm& alpha) const { return contract(alpha, Lambda); }
  /// Returns {f, g} = Lambda(df, dg) + f E(g) - g E(f). [LJL21, Eq. 28].
  [[nodiscard]] Expr bracket(Expr f, Expr g) const;
  /// Returns X_H = Lambda(dH, .) + H E, for which {H, g} = X_H(g) - g E(H). [LJL21, Eqs. 33, 105].
  [[nodiscard]] VectorField hamiltonian_field(Expr H) const;
  /// Returns {f, {g, h}} + {g, {h, f}} + {h, {f, g}}.
  [[nodiscard]] Expr jacobiator(Expr f, Expr g, Expr h) const;

  /// Returns Lambda^AB + Lambda^BA for A <= B.
  [[nodiscard]] std::vector<Expr> skewness_defects() const;
  /// Returns the components A < B < C of Lambda^AD d_D Lambda^BC + E^A Lambda^BC + cyclic, which vanish exactly if
  /// [Lambda, Lambda] = 2 E ^ Lambda for the sign of the Schouten bracket that contact manifolds need. [LJL21, Eq. 21].
  /// Lambda must be skew.
  [[nodiscard]] std::vector<Expr> schouten_defects() const;
  /// Returns the components A < B of L_E Lambda. [LJL21, Eq. 22]. Lambda must be skew.
  [[nodiscard]] std::vector<Expr> invariance_defects() const;
};

/// Builds the structure on E* x R with coordinates (x, p, z): Lambda(dp_a, dx^i) = rho^i_a, Lambda(dx^i, dp_a) =
/// -sigma^i_a, Lambda(dp_i, dp_j) = c^k_ij p_k, Lambda(dp_a, dz) = p_a = -Lambda(dz, dp_a) and E = -d/dz. The field of
/// H is
///   dx/dt = rho H_p,  dp_j/dt = c^k_ij H_{p_i} p_k - sigma^i_j H_{x^i} - H_z p_j,  dz/dt = p H_p - H:
/// the Hamilton-Herglotz equations on every algebroid. The structure is almost Jacobi exactly for skew algebroids, and
/// Jacobi exactly for Lie algebroids. If Lambda is not skew, X_H is still a field and {H, .} a derivation up to E, but
/// the bracket is not skew and X_H(H) = -H_z H + Lambda(dH, dH). p (r symbols) and z are the coordinates beside the
/// algebroid's x. Throws Refused for an algebroid of rank 0 and for a p of another length.
JacobiStructure linear_jacobi_structure(const Algebroid& algebroid, const std::vector<Expr>& p, Expr z);

}  // namespace herglotz::geometry
