#pragma once
/// Functions that every motion keeps and that the model does not declare.

#include <span>
#include <string>
#include <vector>

#include "herglotz/geometry/casimirs.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Returns the quadratic Casimirs of the anchor that do not depend on the invariants and the velocity-free constraints
/// of the system.
std::vector<geometry::QuadraticCasimir> undeclared_casimirs(const mechanics::System& system, const InitialState& near);

/// Returns a sentence that names the Casimirs whose value at the base point `x` is neither 0 nor 1 up to rounding, or
/// an empty string if there are none. A start usually has the value 0 or 1.
std::string note_of(const std::vector<geometry::QuadraticCasimir>& casimirs, std::span<const double> x);

}  // namespace herglotz::simulate
