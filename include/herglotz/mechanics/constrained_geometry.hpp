#pragma once
/// Nonholonomic constraints in contact geometry: projectors, projected Jacobi structure, nonholonomic bracket.
/// [LJL21, Secs. 5-7].

#include "herglotz/mechanics/contact_structure.hpp"

namespace herglotz::mechanics {

/// The geometry along Phi = 0, extended around it by the same formulas [LJL21, Remark 6]. Each statement holds on Phi =
/// 0.
struct ConstrainedGeometry {
  PhaseGeometry free;
  std::vector<Expr> Phi;                 ///< velocity constraints (m), functions of u (and t)
  std::vector<geometry::OneForm> forms;  ///< Phi^a_{y^k} theta^k if there is a contact form [LJL21, Eq. 66]
  std::vector<geometry::VectorField> Z;  ///< Z_a = -W^ik Phi^a_{y^k} d/dw^i (m) [LJL21, Eq. 75]
  Matrix C;                              ///< C_ab = dPhi^b(Z_a) (m x m) [LJL21, Eq. 77]
  Matrix P;                              ///< P^A_B: P(Y) = Y - (C^-1)^ab dPhi^b(Y) Z_a (N x N) [LJL21, Eq. 79]
  /// (P_* Lambda, -P(Reeb)): an almost Jacobi structure whose bracket is the nonholonomic one. [LJL21, Eqs. 95-96,
  /// 100].
  geometry::JacobiStructure jacobi;
  /// The projection P of the free dynamics, less (C^-1)^ab Phi^b_t Z_a if Phi depends on time. [LJL21, Eq. 81].
  geometry::VectorField dynamics;

  [[nodiscard]] geometry::VectorField project(const geometry::VectorField& Y) const;          ///< P(Y)
  [[nodiscard]] geometry::VectorField constraint_part(const geometry::VectorField& Y) const;  ///< Q(Y) = Y - P(Y)
  /// Returns alpha o P. [LJL21, Eq. 84].
  [[nodiscard]] geometry::OneForm project(const geometry::OneForm& alpha) const;
  /// Returns {f, g} of any functions of u. [LJL21, Eq. 100].
  [[nodiscard]] Expr bracket(Expr f, Expr g) const { return jacobi.bracket(f, g); }
  [[nodiscard]] Expr jacobiator(Expr f, Expr g, Expr h) const { return jacobi.jacobiator(f, g, h); }
  /// Returns the constrained Hamiltonian field of any H. [LJL21, Eq. 105]. The field of the energy is the dynamics if
  /// Phi is homogeneous in the velocities and there are no external forces and no time.
  [[nodiscard]] geometry::VectorField hamiltonian_field(Expr H) const { return jacobi.hamiltonian_field(H); }
};

/// Computes the geometry for constraints of every kind under Chetaev's rule; a velocity-free constraint enters by its
/// derivative. Throws Refused for a system without nonholonomic constraints, and for a C that is singular
/// everywhere.
ConstrainedGeometry constrained_geometry(const System& system);

}  // namespace herglotz::mechanics
