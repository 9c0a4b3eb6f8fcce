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

}  // namespace herglotz::mechanics
