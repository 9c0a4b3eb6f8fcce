#pragma once
/// Functions of the base that the components of a point symmetry may be combinations of.

#include <vector>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::mechanics {

/// Returns the functions of the ansatz of `point_symmetries`, the longest first and 1 last.
std::vector<Expr> symmetry_ansatz(const System& system);

}  // namespace herglotz::mechanics
