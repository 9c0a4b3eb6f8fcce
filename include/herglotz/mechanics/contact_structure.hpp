#pragma once
/// The contact and Jacobi geometry of a system's phase space, and its dynamics as a field on it. [LJL21, Secs. 3-4].

#include <optional>

#include "herglotz/geometry/contact.hpp"
#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Geometry of E x R with u = (x, y, z) for a Lagrangian, or of E* x R with u = (x, p, z) for a Hamiltonian. If time
/// occurs, it is a parameter: the geometry belongs to one instant.
struct PhaseGeometry {
  /// The linear (almost) Jacobi structure of E* x R; for a Lagrangian its pull-back by p = dL/dy, with E = -d/dz + W^-1
  /// L_yz d/dy. See geometry::linear_jacobi_structure for a structure that is not skew.
  geometry::JacobiStructure jacobi;
  /// eta = dz - p_a theta^a with the frame theta dual to rho, if E is TM in some frame: rho = sigma is invertible and c
  /// is its bracket. `std::nullopt` for other algebroids.
  std::optional<geometry::ContactStructure> contact;
  Expr energy;                          ///< E = p_a y^a - L, or H
  geometry::VectorField energy_field;   ///< X_E = Lambda(dE, .) + E E. [LJL21, Eqs. 48, 105]
  geometry::VectorField free_dynamics;  ///< X_E + W^-1 (F - p_t) d/dw: the motion without constraints
  Equations equations;                  ///< the equations with the definitions of the model opened
  Matrix W_inverse;                     ///< the inverse of W = dp/dw (r x r)

  [[nodiscard]] const geometry::Chart& u() const { return jacobi.u(); }
};

/// Computes the geometry of a system's phase space. Throws Refused for an algebroid of rank 0 and for an
/// L that is regular nowhere.
PhaseGeometry phase_geometry(const System& system);

}  // namespace herglotz::mechanics
