#pragma once
/// Selection of the rows that represent a long run on the page.

#include <cstddef>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::report {

/// Number of rows that the page can draw quickly.
inline constexpr std::size_t page_rows = 20000;

/// Returns the ascending indices of the rows to keep: all rows if there are at most `limit` (>= 2). Otherwise these are
/// the first and the last row, the rows at which some column is smallest or largest within its bucket of consecutive
/// rows, the first row of each column that is not a finite number, and evenly spread rows up to `limit`. Every kept row
/// is a stored state, so the same indices serve all columns. With more than about limit/2 columns the extremes alone
/// may exceed `limit`.
std::vector<std::size_t> rows_to_draw(const analyse::Trajectory& trajectory, std::size_t limit = page_rows);

}  // namespace herglotz::report
