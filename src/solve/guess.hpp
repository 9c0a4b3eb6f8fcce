#pragma once
/// First guess of the path, from which a solver starts.

#include "collocation.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns the path that the expressions of [guess] describe. Without an expression, states change linearly from end to
/// end, velocities follow from the change of the base, and controls are 0 or in the middle of their bounds. Costates
/// are 0.
Path guessed_path(const Setup& setup, const Collocation& method, const Mesh& mesh);
double guessed_duration(const Setup& setup);

}  // namespace herglotz::solve
