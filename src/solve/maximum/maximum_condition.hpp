#pragma once
/// Pontryagin's principle: H is largest among all controls, at every time.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/solve/solve.hpp"
#include "maximum/range.hpp"

namespace herglotz::solve {

/// A control at one time with which H would be larger.
struct BetterControl {
  double t = 0;
  std::size_t control = 0;
  double found = 0;
  double better = 0;
  double rise = 0;  ///< of H
};

struct MaximumCondition {
  ControlComparison comparison;
  std::optional<BetterControl> largest;       ///< with the largest rise of H, if others save more than the tolerance
  control::Iterate path;                      ///< in the variables of the problem
  std::vector<Range> bounds;                  ///< of the controls
  std::vector<double> times;                  ///< of the stages
  std::vector<double> falls;                  ///< of K at the stages
  std::vector<std::vector<double>> controls;  ///< the best that were found at the stages
};

/// Compares H at the stages of a path with H for all other controls: those within the bounds of the problem, with which
/// its inequalities hold. Returns no value for a problem without controls.
///
/// Where controls u' have K(u') < K(u), needle variations, with u' in short times, lower the cost by the integral of
/// K(u) - K(u') to first order. What is less than the costates are accurate to does not count, and the path has the
/// maximum condition if the integral is below the tolerance, in parts of the cost.
std::optional<MaximumCondition> maximum_condition(const control::Problem& problem, const Solution& found);

}  // namespace herglotz::solve
