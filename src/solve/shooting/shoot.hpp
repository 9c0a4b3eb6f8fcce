#pragma once
/// Multiple shooting from a solution of a direct method. Theory: docs/solve.md, Shooting.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Result of multiple shooting.
struct Shot {
  std::optional<Path> path;  ///< on the intervals of the guess; `std::nullopt` if there is none
  bool refused = false;      ///< the method cannot honour the problem, and `reason` names why
  std::string reason;        ///< the reason that there is no path
  double defect = 0;         ///< the largest of the equations, relative
  double stationarity = 0;   ///< the largest |K_w| of what is not held, in parts of the costates
  double difference = 0;     ///< of states and costates from the guess, and of the duration, relative
  double flow_error = 0;     ///< estimated: the sum of the local errors of the flow, relative
  double cost_error = 0;     ///< estimated: local errors of the flow weighed by the costates, and the next step
  std::size_t iterations = 0;
  std::size_t state_family = 0;    ///< dimension of the family of paths that the conditions leave
  std::size_t costate_family = 0;  ///< dimension of the costates that belong to one path
};

/// Returns sentences about the families of solutions that the conditions leave.
std::vector<std::string> notes_of(const Shot& shot);

/// Returns the index of an inequality along the path whose multipliers do not vanish, if there is one.
std::optional<std::size_t> active_inequality(const Setup& setup, const Path& path);

/// Solves the equations of BoundarySystem from a path with costates whose controls are at their bounds on whole
/// intervals. With `abnormal`, the price is an unknown.
Shot shoot(const Setup& setup, const Path& guess, bool abnormal, const std::function<bool()>& go_on);

}  // namespace herglotz::solve
