#pragma once
/// Contact and Jacobi structures along constraints: projector, projected structure, nonholonomic bracket. [LJL21, Secs.
/// 5-7].

#include <functional>
#include <vector>

#include "herglotz/geometry/jacobi.hpp"

namespace herglotz::geometry {

/// A Jacobi structure along Phi = 0 with reactions along fields Z_a, extended around it by the same formulas [LJL21,
/// Remark 6]. Each statement holds on Phi = 0.
struct ConstrainedStructure {
  std::vector<Expr> Phi;       ///< constraints (m), functions of u
  std::vector<VectorField> Z;  ///< fields of the reactions (m) [LJL21, Eq. 75]
  Matrix C;                    ///< C_ab = dPhi^b(Z_a) (m x m) [LJL21, Eq. 77]
  Matrix C_inverse;            ///< inverse of C (m x m)
  Matrix P;                    ///< P^A_B: P(Y) = Y - (C^-1)^ba dPhi^b(Y) Z_a (N x N) [LJL21, Eq. 79]
  /// (P_* Lambda, P(E)): an almost Jacobi structure whose bracket is the nonholonomic one. [LJL21, Eqs. 95-96, 100].
  JacobiStructure jacobi;

  [[nodiscard]] VectorField project(const VectorField& Y) const;          ///< P(Y)
  [[nodiscard]] VectorField constraint_part(const VectorField& Y) const;  ///< Q(Y) = Y - P(Y)
  /// Returns alpha o P. [LJL21, Eq. 84].
  [[nodiscard]] OneForm project(const OneForm& alpha) const;
  /// Returns lambda with Q(Y) = lambda^a Z_a for a field along which Phi has the rates dPhi(Y): lambda = C^-T dPhi(Y).
  [[nodiscard]] std::vector<Expr> multipliers(const std::vector<Expr>& rates) const;
  /// Returns {f, g} of any functions of u. [LJL21, Eq. 100].
  [[nodiscard]] Expr bracket(Expr f, Expr g) const { return jacobi.bracket(f, g); }
  [[nodiscard]] Expr jacobiator(Expr f, Expr g, Expr h) const { return jacobi.jacobiator(f, g, h); }
  /// Returns X_H^Delta of any H, under which Phi keeps its values. [LJL21, Eq. 105]. It differs from P(X_H) by
  /// P(Lambda(dH - dH o P, .)), which vanishes where Z_a(H) = 0 along Phi = 0. [LJL21, Eq. 107, Lemma 15].
  [[nodiscard]] VectorField hamiltonian_field(Expr H) const { return jacobi.hamiltonian_field(H); }
};

/// Rewrites an expression as an equal one that is shorter.
using Shortening = std::function<Expr(const Expr&)>;

/// Computes the structure along Phi = 0 with reactions along the fields Z. Entries are shortened by `shorten`, by
/// default simplified. Throws Refused for another number of fields than of constraints, for none, and for a C that is
/// singular everywhere.
ConstrainedStructure constrained_structure(const JacobiStructure& free, std::vector<Expr> Phi,
                                           std::vector<VectorField> Z, const Shortening& shorten = {});
/// Computes the structure along Phi = 0 whose reactions are spanned by 1-forms beta^a: Z_a = Lambda(beta^a, .).
/// Chetaev's rule of a Lagrangian has beta^a = Phi^a_y theta [LJL21, Eqs. 66, 75]; any other forms may be given. Throws
/// Refused as above, and for a form that does not vanish on E, whose reaction would do work on the action.
ConstrainedStructure constrained_structure(const JacobiStructure& free, std::vector<Expr> Phi,
                                           const std::vector<OneForm>& beta, const Shortening& shorten = {});

}  // namespace herglotz::geometry
