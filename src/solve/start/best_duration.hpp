#pragma once
/// Free durations that grow without bound or come to their limits, and costs without bound.

#include <functional>
#include <optional>
#include <string>

#include "collocation.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns a sentence if no duration is the best near a path: `cost_of_pace` says so, or its duration is free, has no
/// upper bound and is far above the guess, and a path twice as long, which is sought from this one, has a better cost.
/// Otherwise returns nothing. `model` is the same problem in its own units.
std::string falling_with_duration(const Setup& model, const Setup& setup, const Collocation& method, const Mesh& mesh,
                                  const Path& path, const std::function<bool()>& go_on);
/// Returns the same sentence for a path that is no solution and whose duration is far from the guess, if the least
/// costs of given durations fall from the guess on.
std::string falling_in_vain(const Setup& model, const Setup& setup, const Collocation& method, const Mesh& mesh,
                            const Path& path, const std::function<bool()>& go_on);

/// Returns a sentence if the cost of a path is beyond all sizes, and otherwise nothing.
std::string unbounded_cost(const Setup& setup, const Path& path);

/// Returns the limit that a free duration came to, which interior points only come near to; `std::nullopt` if it is
/// between its limits.
std::optional<double> reached_limit(const Setup& setup, const Path& path);

}  // namespace herglotz::solve
