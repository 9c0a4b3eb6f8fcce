#pragma once
/// Functions of the base that the components of a point symmetry may be combinations of.

#include <vector>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::mechanics {

/// Returns the functions of the ansatz of `point_symmetries`, the longest first and 1 last. With `quadratic` products
/// of two lengths are among them, or the result is empty if there would be none or too many unknowns.
std::vector<Expr> symmetry_ansatz(const System& system, bool quadratic);

/// Returns whether the system has the base coordinate x in a sine, cosine or tangent of a combination of coordinates.
bool is_angle(const System& system, const Expr& x);

}  // namespace herglotz::mechanics
