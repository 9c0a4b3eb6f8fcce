#pragma once
/// How many rows a run has that was given no rows of its own.

#include <cstddef>
#include <optional>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::simulate {

/// The rows of a run, about, unless its motion needs more or it has fewer steps.
constexpr double usual_rows = 1000;
/// The most rows that a motion is given without being asked.
constexpr double most_usual_rows = 20'000;

/// What is known of a run that has been made.
struct Made {
  double duration = 0;    ///< from the start to where it ended
  std::size_t steps = 0;  ///< accepted ones
  std::size_t rows = 0;   ///< stored ones
  bool early = false;     ///< ended before its t_end
  bool adaptive = false;
};

/// Whether its rows leave steps out, so that they may be too few for the motion.
bool skips_steps(const Made& made);

/// The turning points in the whole run, from those found in its first steps.
double turns_in_all(const Made& made, std::size_t turns, double looked_at);

/// Whether there are too few rows to show a motion that turns so often.
bool too_few(double rows, double turns);

/// The schedule that the run should have had: rows for the time that it took, and enough of them for the motion, where
/// most_usual_rows are enough. Nothing where the rows are right as they are.
std::optional<integrate::Schedule> better_rows(const Made& made, double turns, const integrate::Schedule& used);

}  // namespace herglotz::simulate
