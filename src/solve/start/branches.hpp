#pragma once
/// Branches of controls: dK/dw = 0 may have several solutions, such as two angles that differ by 2 pi or a maximum of K
/// beside its minimum.

#include <optional>

#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns the path with each stage on the branch of a neighbour if K is no higher there, or `std::nullopt` if no stage
/// changes. A solver that treats the controls of stages as independent may leave stages on other branches.
std::optional<Path> on_one_branch(const Setup& setup, const Path& path);

}  // namespace herglotz::solve
