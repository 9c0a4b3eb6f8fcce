#pragma once
/// A system on the action groupoid that its algebroid integrates to. Theory, Sec. 5.

#include <vector>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::discrete {

using symbolic::Expr;

/// The system rewritten in the frame y = B(x) xi in which structure functions are constant: l(x, xi, z, t) =
/// L(x, B xi, z, t), forces B^T F, constraints Phi(x, B xi, z, t).
struct ActionGroupoid {
  mechanics::System system;        ///< on the action algebroid, with xi as fibre coordinates
  mechanics::Equations equations;  ///< of that system
  symbolic::Matrix frame;          ///< B(x) (r x r)
  bool affine_action = false;      ///< the generators rho_a(x) are affine in x
  std::vector<geometry::GroupFactor> factors;
};

/// Throws std::invalid_argument for a Hamiltonian system, and where no groupoid is known for the algebroid.
ActionGroupoid on_action_groupoid(const mechanics::System& system);

/// No variables: c^k_ij (r x r x r), at [(k r + i) r + j].
symbolic::Program structure_program(const ActionGroupoid& groupoid);
/// Variables (x): rho^i_a (n x r) row by row.
symbolic::Program generators_program(const ActionGroupoid& groupoid);
/// Variables (x): B (r x r) row by row.
symbolic::Program frame_program(const ActionGroupoid& groupoid);
/// Variables (x, xi, z, t, l): (mu (r), rho^T dL/dx + F (r), L, L_z, Phi (m), Phi_xi (m x r)); no bracket in it, and no
/// multipliers.
symbolic::Program groupoid_stage_program(const ActionGroupoid& groupoid);
/// d stage/d(x, xi, z).
mechanics::SparseProgram groupoid_stage_jacobian_program(const ActionGroupoid& groupoid);

}  // namespace herglotz::discrete
