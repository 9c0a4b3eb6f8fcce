#include "hybrid/part_ends.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::simulate {

bool comes_to_zero(const PartEnds& ends, std::size_t k, mechanics::Direction direction) {
  constexpr double round_off = 1e-13;
  const double before = ends.before[k];
  const double now = ends.now[k];
  const bool falls = before > 0;
  if (before == 0 || direction == (falls ? mechanics::Direction::rising : mechanics::Direction::falling)) return false;
  return std::abs(now) <= round_off * std::abs(before) ||
         (ends.duration > 0 &&
          std::abs(now) * std::max(ends.duration, ends.instant) <= ends.instant * std::abs(now - before));
}

bool has_last_row(const analyse::Trajectory& trajectory, std::size_t k, double instant) {
  const auto& times = trajectory.events[k].columns.front().values;
  return !times.empty() && times.back() >= trajectory.columns.front().values.back() - instant;
}

void record_last_row(analyse::Trajectory& trajectory, std::size_t k, double instant) {
  if (has_last_row(trajectory, k, instant)) return;
  auto& columns = trajectory.events[k].columns;
  for (std::size_t c = 0; c < columns.size(); ++c) columns[c].values.push_back(trajectory.columns[c].values.back());
}

void remove_last_row(analyse::Trajectory& trajectory, std::size_t k) {
  for (auto& column : trajectory.events[k].columns) column.values.pop_back();
}

}  // namespace herglotz::simulate
