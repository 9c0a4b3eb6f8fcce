#pragma once
/// The contact and Jacobi geometry of a system for readers.

#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::mechanics {

/// Presents the contact form, the Reeb field, the contact Hamiltonian field of the energy and the Jacobi brackets of
/// the coordinates if the anchor is invertible, and otherwise the linear Jacobi structure. With nonholonomic
/// constraints the presentation also has the fields Z_a, the matrix C_ab, the projector, and the nonholonomic brackets
/// with their Jacobiators. Source: [LJL21, Secs. 2-7]. Throws Refused for the vakonomic rule, for an L
/// that is regular nowhere and for a singular C.
Presentation geometry_of(const System& system);

}  // namespace herglotz::mechanics
