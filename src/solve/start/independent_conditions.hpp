#pragma once
/// Conditions at the ends that follow from other conditions whatever the path.

#include <functional>
#include <vector>

#include "herglotz/solve/solve.hpp"

namespace herglotz::solve {

/// Returns the places of the conditions whose gradient in the end values that are not given, and in a free duration, is
/// a combination of those of the conditions before, at several generic points. Throws
/// Refused if there are more conditions than such values.
std::vector<std::size_t> dependent_conditions(const control::Problem& problem);

/// Solves the problem without its dependent conditions, and says so in a note if these hold at the ends of the solution
/// all the same. Otherwise solves with all conditions, which names what does not hold.
Solution without_dependent_conditions(const control::Problem& problem,
                                      const std::function<Solution(const control::Problem&)>& solved);

}  // namespace herglotz::solve
