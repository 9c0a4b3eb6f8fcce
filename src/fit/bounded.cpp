#include "bounded.hpp"

#include <cmath>

namespace herglotz::fit {

// Between two bounds value = lower + (upper - lower)(1 + sin s)/2, above one bound value = lower - 1 + sqrt(1 + s^2).

double free_of(const Unknown& u, double value) {
  const bool below = std::isfinite(u.lower);
  const bool above = std::isfinite(u.upper);
  if (below && above) return std::asin(2 * (value - u.lower) / (u.upper - u.lower) - 1);
  if (!below && !above) return value;
  const double distance = below ? value - u.lower : u.upper - value;
  return std::sqrt((distance + 1) * (distance + 1) - 1);
}

Bounded bounded(const Unknown& u, double free) {
  const bool below = std::isfinite(u.lower);
  const bool above = std::isfinite(u.upper);
  if (below && above)
    return {u.lower + (u.upper - u.lower) * (1 + std::sin(free)) / 2, (u.upper - u.lower) * std::cos(free) / 2};
  if (!below && !above) return {free, 1};
  const double root = std::sqrt(1 + free * free);
  return below ? Bounded{u.lower - 1 + root, free / root} : Bounded{u.upper + 1 - root, -free / root};
}

}  // namespace herglotz::fit
