#pragma once
/// Functions that every motion keeps and that the model does not declare.

#include <span>
#include <string>
#include <vector>

#include "herglotz/geometry/casimirs.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// The quadratic Casimirs of the anchor that do not depend on the invariants and the velocity-free constraints of the
/// system.
std::vector<geometry::QuadraticCasimir> undeclared_casimirs(const mechanics::System& system, const InitialState& near);

/// A sentence that names those whose value at the base point `x` is neither 0 nor 1, up to rounding; empty if there are
/// none. Others are where a start usually is.
std::string note_of(const std::vector<geometry::QuadraticCasimir>& casimirs, std::span<const double> x);

}  // namespace herglotz::simulate
