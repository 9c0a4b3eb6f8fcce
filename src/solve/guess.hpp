#pragma once
/// First guess of the path, from which a solver starts.

#include "collocation.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns the path that the expressions of [guess], or the columns of its file, describe. Without them, states change
/// linearly from end to end, velocities follow from the change of the base, and controls are 0 or in the middle of
/// their bounds. Costates are 0.
Path guessed_path(const Setup& setup, const Collocation& method, const Mesh& mesh);
double guessed_duration(const Setup& setup);
/// Returns the first mesh: one arc with intervals of one length, on which no control is held.
Mesh uniform_mesh(const Setup& setup);

}  // namespace herglotz::solve
