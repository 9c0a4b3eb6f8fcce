#pragma once
/// Tulczyjew's picture, and the terms of the equations with a connection, for readers.

#include "herglotz/geometry/connection.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::mechanics {

/// Presents the map eps: T*E -> TE* of the algebroid, the Legendre map lambda_L and the Tulczyjew differential
/// Lambda_L, which for vakonomic constraints is that of L - nu Phi. [GG08, Eqs. 2.3, 3.1, 5.5]. The presentation has no
/// program. Throws Refused for a Hamiltonian.
Presentation tulczyjew_picture(const System& system);

/// Presents the parts of dL, Eqs. 26-27 of [ASC25] term by term with rates of the fibre coordinates, and the curvature
/// of the connection if it is not zero. Its program is empty. Throws Refused for a Hamiltonian.
Presentation equations_with_connection(const System& system, const geometry::Connection& connection);

}  // namespace herglotz::mechanics
