#pragma once
/// Iterates of paths, and starts from them.

#include <optional>

#include "herglotz/control/solution.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns a path as an iterate; `errors` are the estimated errors of its intervals, or empty.
control::Iterate iterate_of(const Setup& setup, const Path& path, const Values& errors);

/// Path from which a solver starts, on its mesh.
struct WarmStart {
  Mesh mesh;
  Path path;
};
/// Returns the iterate of the guess with the duration of the problem. Returns `std::nullopt` if the guess has no
/// iterate with stages, or one of a problem with other states, variables or equations.
std::optional<WarmStart> warm_start(const Setup& setup);

}  // namespace herglotz::solve
