#pragma once
/// Costs with kinks at states, such as |x|, by variables that are above them.

#include <optional>
#include <string>
#include <vector>

#include "herglotz/control/problem.hpp"

namespace herglotz::control {

struct Epigraphs {
  Problem problem;
  std::vector<std::string> names;  ///< of the variables, the last controls, each that of the function that it is above
};

/// Returns the problem whose running cost has a variable e in place of each absolute value |g| and each maximum, with g
/// - e <= 0 and -g - e <= 0 along the path (a minimum, with the opposite inequalities), if the cost is linear in these
/// with a constant factor of the sign that draws e to them. No cost is then less than that of the same path in the
/// problem, and the best one is equal. Returns `std::nullopt` if there is no such kink.
std::optional<Epigraphs> with_epigraphs(const Problem& problem);

}  // namespace herglotz::control
