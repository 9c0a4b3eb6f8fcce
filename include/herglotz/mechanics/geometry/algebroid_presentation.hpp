#pragma once
/// Sections with their brackets and lifts, Tulczyjew's picture, and the terms of the equations with a connection, for
/// readers.

#include "herglotz/geometry/connection.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::mechanics {

/// Presents the map eps: T*E -> TE* of the algebroid, the Legendre map lambda_L and the Tulczyjew differential
/// Lambda_L, which for vakonomic constraints is that of L - nu Phi. [GG08, Eqs. 2.3, 3.1, 5.5]. The presentation has no
/// program. Throws Refused for a Hamiltonian.
Presentation tulczyjew_picture(const System& system);

/// Presents the brackets of the frame that do not vanish, and of each section in [symmetries] its complete lift s^C,
/// s^C L for a Lagrangian, and its brackets with the sections behind it. Its program is empty. Throws Refused if there
/// is nothing to present. [GG08, Eq. 2.3; ASC25, Eq. 22].
Presentation sections_of_algebroid(const System& system);

/// Presents the parts of dL, Eqs. 26-27 of [ASC25] term by term with rates of the fibre coordinates, and the curvature
/// of the connection if it is not zero. Its program is empty. Throws Refused for a Hamiltonian.
Presentation equations_with_connection(const System& system, const geometry::Connection& connection);

}  // namespace herglotz::mechanics
