#pragma once
/// Implicit equations and the constraints of a singular Lagrangian for readers.

#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/mechanics/singular.hpp"

namespace herglotz::mechanics {

/// Adds the constraints level by level, each = 0, and the contradiction if there is one.
void add_constraint_levels(Presentation& presentation, const System& system, const SingularAnalysis& analysis);

/// Presents the Hamilton-Pontryagin-Herglotz equations [ASC25, Thm 6.2] as they stand, without inverting a Hessian: the
/// rates of x, p and z, and the expressions that must vanish. Its program is empty. Throws Refused for a
/// system with a Hamiltonian.
Presentation implicit_equations(const System& system);

}  // namespace herglotz::mechanics
