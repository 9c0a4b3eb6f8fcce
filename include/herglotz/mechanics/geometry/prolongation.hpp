#pragma once
/// The contact structure of a Lagrangian on the prolongation of its algebroid. [ASC25, Rem. 3.3].

#include <vector>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Sections and 1-forms of the prolongation T^E(E x R) in the frame (T_a, V_a, Z), 2r + 1 components each: T_a projects
/// to e_a, V_a = d/dy^a, Z = d/dz. The brackets are [T_a, T_b] = c^k_ab T_k; all others vanish. With p_a = L_y^a,
///   eta_L = Z* - p_a T^a,   i_R d eta_L = 0,   eta_L(R) = 1,   flat(Gamma) = dE_L - (R(E_L) + E_L) eta_L,
/// where flat(X) = i_X d eta_L + eta_L(X) eta_L. On TM it is the contact form on TM x R.
struct Prolongation {
  std::vector<Expr> contact_form;  ///< eta_L
  Matrix form_differential;        ///< d eta_L(e_A, e_B), (2r + 1) x (2r + 1)
  std::vector<Expr> reeb_section;  ///< R_L = Z - W^ab L_bz V_a
  std::vector<Expr> dynamics;      ///< Gamma_L = y^a T_a + (dy^a/dt) V_a + L Z, without forces and explicit time
  Expr energy;                     ///< E_L = p_a y^a - L
};

/// Computes them. Gamma_L solves the equation above, and not the equations of motion, with which it agrees. Throws
/// Refused for a Hamiltonian, a bracket that is not skew, two different anchors, and an L that is regular nowhere.
Prolongation prolongation(const System& system);

}  // namespace herglotz::mechanics
