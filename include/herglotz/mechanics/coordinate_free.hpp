#pragma once
/// The equations of motion written with a TM-connection; the connection cancels. [ASC25, Thm 5.1].

#include "herglotz/geometry/connection.hpp"
#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Derives the equations of [ASC25, Eq. 27] in a frame. The dual of nabla-bar_a u = nabla_rho(u) a + [a, u] gives
///   (nabla-bar*_y p)_j = dp_j/dt - p_k (sigma^i_j Gamma^k_ia y^a + c^k_ij y^i),
/// and the horizontal part of dL is dL/dx^i - Gamma^b_ia y^a p_b. Both contain the Christoffel symbols, which cancel.
/// On a general algebroid the right anchor takes the place of the pull-back of dL_hor in [ASC25]. Vakonomic constraints
/// enter as L - nu Phi. Throws Refused for a Hamiltonian.
Equations derive_with_connection(const System& system, const geometry::Connection& connection);

/// Eqs. 26-27 of [ASC25] term by term, as functions of (x, y, dy/dt, z, t): along a motion dual = pulled_back + action
/// + forces, to which nonholonomic constraints add their reactions lambda Phi_y; without constraints the difference is
/// the Euler-Lagrange operator.
struct ConnectionTerms {
  std::vector<Expr> vertical;     ///< dL_ver = dL/dy^a, the momenta (r)
  std::vector<Expr> horizontal;   ///< dL_hor = dL/dx^i - Gamma^b_ia y^a p_b (n)
  std::vector<Expr> dual;         ///< (nabla-bar*_y p)_j (r)
  std::vector<Expr> pulled_back;  ///< sigma^i_j dL_hor_i (r)
  std::vector<Expr> action;       ///< L_z p_j (r)
  std::vector<Expr> forces;       ///< F_j (r)
};

/// Derives the terms with the symbols `y_dot` for dy/dt (r). Vakonomic constraints enter as L - nu Phi, with the
/// symbols `nu_dot` for dnu/dt, one for each constraint. Throws Refused for a Hamiltonian.
ConnectionTerms connection_terms(const System& system, const geometry::Connection& connection,
                                 const std::vector<Expr>& y_dot, const std::vector<Expr>& nu_dot = {});

}  // namespace herglotz::mechanics
