#pragma once
/// What kind of constraint an equation is.

#include <string>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::app {

/// "holonomic" (free of velocities), "linear", "affine" or "nonlinear" in the velocities.
std::string constraint_kind(symbolic::Expr equation, const mechanics::System& system);

}  // namespace herglotz::app
