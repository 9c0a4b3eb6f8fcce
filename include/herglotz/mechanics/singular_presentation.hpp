#pragma once
/// What a person reads of implicit equations and of the constraints of a singular Lagrangian.

#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/mechanics/singular.hpp"

namespace herglotz::mechanics {

/// Adds the constraints level by level, each = 0, and the contradiction where there is one.
void add_constraint_levels(Presentation& presentation, const System& system, const SingularAnalysis& analysis);

/// The Hamilton-Pontryagin-Herglotz equations [ASC25, Thm 6.2] as they stand, with no Hessian inverted: rates of x, p
/// and z, and what must vanish. Has no program. For Lagrangian systems; a Hamiltonian throws std::invalid_argument.
Presentation implicit_equations(const System& system);

}  // namespace herglotz::mechanics
