#pragma once
/// The derived equations written as formulas, for readers.

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Derives the equations of derive(system), but without pivots that are chosen at run time: Phi_y = Phi_p (d2H/dp2)^-1
/// of a constrained Hamiltonian is a formula, by cofactors up to geometry::cofactor_size and by elimination in the
/// order of the rows beyond it. Compiled runs use derive(system), which divides by no small pivot. Throws what derive
/// throws, and symbolic::SingularMatrix if a pivot in the order of the rows is zero.
Equations readable_equations(const System& system);

}  // namespace herglotz::mechanics
