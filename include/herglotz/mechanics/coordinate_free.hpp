#pragma once
/// The equations of motion written with a TM-connection; the connection cancels. [ASC25, Thm 5.1].

#include "herglotz/geometry/connection.hpp"
#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// The equations of [ASC25, Eq. 27] in a frame: the dual of nabla-bar_a u = nabla_rho(u) a + [a, u] gives
///   (nabla-bar*_y p)_j = dp_j/dt - p_k (sigma^i_j Gamma^k_ia y^a + c^k_ij y^i),
/// and the horizontal part of dL is dL/dx^i - Gamma^b_ia y^a p_b. Both hold the Christoffel symbols, which cancel. On a
/// general algebroid the right anchor stands where [ASC25] pulls back dL_hor. Vakonomic constraints enter as L - nu
/// Phi. Lagrangian systems only: a Hamiltonian throws std::invalid_argument.
Equations derive_with_connection(const System& system, const geometry::Connection& connection);

}  // namespace herglotz::mechanics
