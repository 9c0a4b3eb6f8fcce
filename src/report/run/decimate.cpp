#include "run/decimate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace herglotz::report {

namespace {

class Selection {
 public:
  explicit Selection(std::size_t rows) : kept_(rows, 0) {}

  void keep(std::size_t row) {
    count_ += kept_[row] ? 0 : 1;
    kept_[row] = 1;
  }
  [[nodiscard]] std::size_t count() const { return count_; }

  /// Adds rows at even distances until about `limit` are kept.
  void fill(std::size_t limit) {
    if (count_ >= limit) return;
    const std::size_t missing = limit - count_;
    const double stride = static_cast<double>(kept_.size()) / static_cast<double>(missing);
    for (std::size_t i = 0; i < missing; ++i) keep(static_cast<std::size_t>(static_cast<double>(i) * stride));
  }

  [[nodiscard]] std::vector<std::size_t> rows() const {
    std::vector<std::size_t> result;
    result.reserve(count_);
    for (std::size_t row = 0; row < kept_.size(); ++row) {
      if (kept_[row]) result.push_back(row);
    }
    return result;
  }

 private:
  std::vector<char> kept_;
  std::size_t count_ = 0;
};

void keep_extremes(const std::vector<double>& values, std::size_t first, std::size_t last, Selection& selection) {
  std::size_t low = last, high = last;
  for (std::size_t row = first; row < last; ++row) {
    if (!std::isfinite(values[row])) continue;
    if (low == last || values[row] < values[low]) low = row;
    if (high == last || values[row] > values[high]) high = row;
  }
  if (low == last) return;
  selection.keep(low);
  selection.keep(high);
}

}  // namespace

std::vector<std::size_t> rows_to_draw(const analyse::Trajectory& trajectory, std::size_t limit) {
  const std::size_t rows = trajectory.rows();
  if (rows <= limit) {
    std::vector<std::size_t> all(rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  Selection selection(rows);
  selection.keep(0);
  selection.keep(rows - 1);
  const std::size_t buckets =
      std::max<std::size_t>(1, limit / (2 * std::max<std::size_t>(1, trajectory.columns.size())));
  for (const analyse::Column& column : trajectory.columns) {
    const auto& values = column.values;
    const auto odd = std::find_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
    if (odd != values.end()) selection.keep(static_cast<std::size_t>(odd - values.begin()));
    // Time and other steadily growing columns have their extremes at the ends of buckets, so these ends are kept.
    for (std::size_t b = 0; b < buckets; ++b) {
      keep_extremes(values, rows * b / buckets, rows * (b + 1) / buckets, selection);
    }
  }
  selection.fill(limit);
  return selection.rows();
}

}  // namespace herglotz::report
