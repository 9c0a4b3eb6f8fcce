#pragma once
/// Nonholonomic constraints in contact geometry: projectors, projected Jacobi structure, nonholonomic bracket.
/// [LJL21, Secs. 5-7].

#include "herglotz/geometry/constrained_structure.hpp"
#include "herglotz/mechanics/contact_structure.hpp"

namespace herglotz::mechanics {

/// The geometry along Phi = 0 of a system, whose constraints are functions of u (and t), with the fields
/// Z_a = -W^ik Phi^a_{y^k} d/dw^i of Chetaev's rule [LJL21, Eq. 75].
struct ConstrainedGeometry : geometry::ConstrainedStructure {
  PhaseGeometry free;
  std::vector<geometry::OneForm> forms;  ///< Phi^a_{y^k} theta^k if there is a contact form [LJL21, Eq. 66]
  /// The projection P of the free dynamics, less (C^-1)^ba Phi^b_t Z_a if Phi depends on time. [LJL21, Eq. 81]. It is
  /// hamiltonian_field(free.energy) if Phi is homogeneous in the velocities and there are no external forces and no
  /// time. [LJL21, Thm 17].
  geometry::VectorField dynamics;
};

/// Computes the geometry for constraints of every kind under Chetaev's rule; a velocity-free constraint enters by its
/// derivative. Throws Refused for a system without nonholonomic constraints, and for a C that is singular
/// everywhere.
ConstrainedGeometry constrained_geometry(const System& system);

}  // namespace herglotz::mechanics
