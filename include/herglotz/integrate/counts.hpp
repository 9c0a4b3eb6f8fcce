#pragma once
/// Limits on the steps and rows of a run.

#include <cstddef>

namespace herglotz::integrate {

/// The most steps of one size in a run.
constexpr double most_steps = 1e12;
/// The most numbers (rows times columns) that a run keeps: 4 GiB.
constexpr double most_numbers = 536'870'912;

/// Checks that steps of this size take a run from t0 to t_end: each of them must change the time, and there may be no
/// more than most_steps. Throws Refused whose `where` is `name`, the name of the step.
void require_steps(const char* name, double t0, double t_end, double step);
/// Checks that rows at this distance in time can be kept: each of them must have a time of its own, and there may be no
/// more than most_numbers numbers. Throws as require_steps does.
void require_rows(const char* name, double t0, double t_end, double interval, std::size_t columns);

/// Number of whole steps of size h, and size of one last step, which is 0 if there is no such step.
struct Steps {
  std::size_t whole;
  double last;

  [[nodiscard]] std::size_t total() const { return whole + (last != 0 ? 1 : 0); }
};

/// Returns the steps of size h that cover a duration. Both arguments have the same sign.
Steps count_steps(double duration, double h);

}  // namespace herglotz::integrate
