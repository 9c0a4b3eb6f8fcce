#pragma once
/// Runs through the events that change the state: resets and impacts.

#include <functional>
#include <vector>

#include "hybrid/motion.hpp"

namespace herglotz::simulate {

/// A system with jumps, as a run follows it.
struct Course {
  const mechanics::System& system;
  const std::vector<double>& parameters;
  const kernel::Kernel& gap_sizes;  ///< kernel of gap_sizes_program
  /// Returns the motion with rest contact at the given impacts, which are indices of events in the order of
  /// Motion::contacts. Throws
  /// Refused if the method has no such motion.
  std::function<const Motion&(const std::vector<std::size_t>& contacts)> motion;
  Tick tick;
};

/// Throws Refused if runs with these settings cannot go through the jumps of the system, which is followed from t0.
void require_jumps(const mechanics::System& system, const mechanics::Equations& equations, const Settings& settings,
                   double t0);

/// Follows a run from jump to jump. A row stands before and after each. The balance laws go on through it, with
/// what it does to their quantities in their budgets. Jumps that accumulate become rest contact if all are impacts;
/// else they end the run.
Pass follow(const Course& course, const Start& start, const integrate::Settings& settings);

}  // namespace herglotz::simulate
