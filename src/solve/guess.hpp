#pragma once
/// The path that a solver starts from.

#include "collocation.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// By the expressions of [guess]; without one, states go straight from end to end, velocities are those of the base,
/// and controls are 0 or in the middle of their bounds. Costates are 0.
Path guessed_path(const Setup& setup, const Collocation& method, const Mesh& mesh);
double guessed_duration(const Setup& setup);

}  // namespace herglotz::solve
