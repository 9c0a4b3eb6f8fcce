#pragma once
/// Which rows of a long run stand for it on the page.

#include <cstddef>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::report {

/// Rows that the page can draw quickly.
inline constexpr std::size_t page_rows = 20000;

/// Ascending indices of the rows to keep: all of them up to `limit` (>= 2). Beyond it: the first and the last row, the
/// rows where some column is smallest or largest within its bucket of consecutive rows, the first row of each column
/// that is not a finite number, and evenly spread rows up to `limit`. Every kept row is a stored state, so the same
/// indices serve all columns. With more than about limit/2 columns the extremes alone may exceed `limit`.
std::vector<std::size_t> rows_to_draw(const analyse::Trajectory& trajectory, std::size_t limit = page_rows);

}  // namespace herglotz::report
