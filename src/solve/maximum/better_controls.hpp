#pragma once
/// Paths that Pontryagin's principle refutes, and what comes after them.

#include <functional>
#include <optional>

#include "maximum/maximum_condition.hpp"
#include "maximum/needles.hpp"

namespace herglotz::solve {

/// Ways to solve a problem again.
struct OtherWays {
  /// from the guess of the problem
  std::function<Solution(const control::Problem&)> from_guess;
  /// from the iterate of its guess, with better controls on arcs of their own; no value if that is no start
  std::function<std::optional<Solution>(const control::Problem&, const MaximumCondition&, Needles)> from_needles;
};

/// Judges a solution by the maximum condition. If other controls are better, the problem is solved again from the path
/// with these, and so is what that leads to, a few times. A solution that still has better controls is not solved; its
/// reason names the time, the control, and by how much H is larger.
Solution with_best_controls(const control::Problem& problem, Solution found, const OtherWays& ways);

}  // namespace herglotz::solve
