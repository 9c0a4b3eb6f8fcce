#pragma once
/// Choice of the number of rows for a run whose settings leave it open.

#include <cstddef>
#include <optional>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::simulate {

/// Approximate number of rows of a run, unless its motion needs more or it has fewer steps.
constexpr double usual_rows = 1000;
/// Largest number of rows that is chosen without being asked for.
constexpr double most_usual_rows = 20'000;

/// Facts of a run that has been made.
struct Made {
  double duration = 0;    ///< time from the start to the end
  std::size_t steps = 0;  ///< accepted steps
  std::size_t rows = 0;   ///< stored rows
  bool early = false;     ///< true if it ended before its t_end
  bool adaptive = false;
};

/// Returns whether the rows of a run leave steps out, so that they may be too few for the motion.
bool skips_steps(const Made& made);

/// Returns an estimate of the turning points in the whole run from the number found in its first steps.
double turns_in_all(const Made& made, std::size_t turns, double looked_at);

/// Returns whether there are too few rows to show a motion with `turns` turning points.
bool too_few(double rows, double turns);

/// Returns the schedule that the run should have had: rows for the duration that it reached, and enough rows for the
/// motion if most_usual_rows suffice. Returns `std::nullopt` if the rows are right as they are.
std::optional<integrate::Schedule> better_rows(const Made& made, double turns, const integrate::Schedule& used);

}  // namespace herglotz::simulate
