#pragma once
/// Free durations that grow without bound.

#include <functional>

#include "collocation.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns whether no duration is the best near a path: its duration is free, has no upper bound and is far above the
/// guess, and a path twice as long, which is sought from this one, has a lower cost.
bool falls_with_duration(const Setup& setup, const Collocation& method, const Mesh& mesh, const Path& path,
                         const std::function<bool()>& go_on);

}  // namespace herglotz::solve
