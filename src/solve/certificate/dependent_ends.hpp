#pragma once
/// End values that follow from the other end values, as those of states with an invariant do.

#include <map>
#include <string>
#include <vector>

#include "collocation.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns whether more coordinates are given at the end than there are velocities, or than constraints without
/// velocities leave independent, or velocities that constraints
/// relate.
bool may_depend(const Setup& setup);

/// Returns the states whose given final values depend on the other conditions at the end: to first order no variation
/// of the path changes them while the others hold. The map from variations of free start values, controls and durations
/// to the conditions is linearised along the path, and as many values are named as its rank falls short of the number
/// of conditions.
std::vector<std::size_t> dependent_finals(const Setup& setup, const Collocation& method, const Path& path);

/// Final values that are left out because they follow from the others.
class ReleasedEnds {
 public:
  /// Leaves out the values that depend on others along the path, and returns whether there are any.
  bool release(Setup& setup, const Collocation& method, const Path& path);
  /// Leaves out the same values of another setup of the problem.
  void leave_out(Setup& setup);
  /// Asks for all values again.
  void restore(Setup& setup);
  /// Returns whether the values hold at the end of the path all the same.
  [[nodiscard]] bool hold(const Path& path) const;
  [[nodiscard]] bool empty() const { return values_.empty(); }
  /// Returns a sentence that names the values.
  [[nodiscard]] std::string note(const Setup& setup) const;

 private:
  std::map<std::size_t, double> values_;  ///< by state
};

}  // namespace herglotz::solve
