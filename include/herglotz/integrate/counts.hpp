#pragma once
/// Limits on the steps and rows of a run.

#include <cstddef>

namespace herglotz::integrate {

/// The most steps of one size in a run.
constexpr double most_steps = 1e12;
/// The most numbers (rows times columns) that a run keeps: 4 GiB.
constexpr double most_numbers = 536'870'912;

/// Checks that steps of this size take a run from t0 to t_end: each of them must change the time, and there may be no
/// more than most_steps. Throws std::invalid_argument whose text begins with `name`, the name of the step.
void require_steps(const char* name, double t0, double t_end, double step);
/// Checks that rows at this distance in time can be kept: each of them must have a time of its own, and there may be no
/// more than most_numbers numbers. Throws as require_steps does.
void require_rows(const char* name, double t0, double t_end, double interval, std::size_t columns);

}  // namespace herglotz::integrate
