#pragma once
/// Slopes of the cost along a path, by a free duration and by controls inside their bounds.

#include <cstddef>
#include <optional>
#include <string>

#include "collocation.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns dJ/dT at stretched controls, the mean of K + (t - t0) K_t and the slope of G, relative to its terms: 0 where
/// a free duration is the best.
double slope_by_duration(const Setup& setup, const Collocation& method, const Path& path);

/// Slope of K by a control that is inside its bounds.
struct ControlSlope {
  double relative = 0;                   ///< K_u u, relative to the largest terms of K
  std::optional<std::size_t> unbounded;  ///< the control, if it has no bound on the side to which K falls

  /// Returns whether this is more than rounding.
  [[nodiscard]] bool is_large() const;
};
/// Returns the largest slope of any control at the stages. Unlike the residual of stationarity, it does not become
/// small where the whole cost does, as it does in least time without bounds. Steps on groups have stages of another
/// kind, of which nothing is known here.
ControlSlope largest_control_slope(const Setup& setup, const Path& path);

/// Returns a sentence if the cost of a path becomes better as long as the size of a control without a bound grows, and
/// otherwise nothing.
std::string falling_with_controls(const Setup& setup, const Path& path, const ControlSlope& slope);

}  // namespace herglotz::solve
