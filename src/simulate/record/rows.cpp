#include "record/rows.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::simulate {
namespace {

constexpr double least_rows_of_a_turn = 4;
constexpr double good_rows_of_a_turn = 10;

}  // namespace

bool skips_steps(const Made& made) {
  // Rows of adaptive methods end steps, so one extra step between two rows says little.
  return static_cast<double>(made.steps) > 1.5 * static_cast<double>(made.rows);
}

double turns_in_all(const Made& made, std::size_t turns, double looked_at) {
  return looked_at > 0 ? static_cast<double>(turns) * std::max(1.0, made.duration / looked_at) : 0;
}

bool too_few(double rows, double turns) {
  return rows < least_rows_of_a_turn * turns;
}

std::optional<integrate::Schedule> better_rows(const Made& made, double turns, const integrate::Schedule& used) {
  if (made.duration == 0) return std::nullopt;
  double rows = usual_rows;
  if (too_few(rows, turns) && good_rows_of_a_turn * turns <= most_usual_rows) rows = good_rows_of_a_turn * turns;
  if (!made.early && rows == usual_rows) return std::nullopt;
  integrate::Schedule schedule;
  if (made.adaptive) {
    // The interval is a little longer, so that no row falls next to the end.
    schedule.interval = made.duration / rows * (made.early ? 1 + 1e-9 : 1.0);
    return schedule;
  }
  schedule.every = static_cast<std::size_t>(std::max(1.0, std::round(static_cast<double>(made.steps) / rows)));
  if (schedule.every == used.every) return std::nullopt;
  return schedule;
}

}  // namespace herglotz::simulate
