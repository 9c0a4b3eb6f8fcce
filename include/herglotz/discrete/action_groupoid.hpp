#pragma once
/// A system on the action groupoid that its algebroid integrates to. Theory, Sec. 5.

#include <vector>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::discrete {

using symbolic::Expr;

/// System rewritten in the frame y = B(x) xi in which the structure functions are constant: l(x, xi, z, t) = L(x, B xi,
/// z, t), forces B^T F, constraints Phi(x, B xi, z, t).
struct ActionGroupoid {
  mechanics::System system;        ///< on the action algebroid, with xi as fibre coordinates
  mechanics::Equations equations;  ///< the equations of that system
  symbolic::Matrix frame;          ///< B(x) (r x r)
  bool affine_action = false;      ///< the generators rho_a(x) are affine in x
  std::vector<geometry::GroupFactor> factors;
};

/// Rewrites a system on its action groupoid. Throws Refused for a Hamiltonian system, and if no groupoid
/// is known for the algebroid.
ActionGroupoid on_action_groupoid(const mechanics::System& system);

/// Returns the program, without variables, of c^k_ij (r x r x r), at [(k r + i) r + j].
symbolic::Program structure_program(const ActionGroupoid& groupoid);
/// Returns the program in (x) of rho^i_a (n x r), row by row.
symbolic::Program generators_program(const ActionGroupoid& groupoid);
/// Returns the program in (x) of B (r x r), row by row.
symbolic::Program frame_program(const ActionGroupoid& groupoid);
/// Returns the program in (x, xi, z, t, l) of (mu (r), rho^T dL/dx + F (r), L, L_z, Phi (m), Phi_xi (m x r)). It
/// contains neither the bracket nor the multipliers.
symbolic::Program groupoid_stage_program(const ActionGroupoid& groupoid);
/// Returns the program of d stage/d(x, xi, z).
mechanics::SparseProgram groupoid_stage_jacobian_program(const ActionGroupoid& groupoid);

}  // namespace herglotz::discrete
