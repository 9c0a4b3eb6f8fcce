#pragma once
/// Comparison of runs.

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::families {

/// Returns the largest difference of a column, relative to its largest value.
inline double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  double scale = 1e-3;
  for (std::size_t k = 0; k < a.size(); ++k) {
    largest = std::max(largest, std::abs(a[k] - b[k]));
    scale = std::max(scale, std::abs(b[k]));
  }
  return largest / scale;
}

/// Expects that a run in loops has the columns of the run of the model written out, with the same values.
inline void expect_equal(const analyse::Trajectory& loops, const analyse::Trajectory& written, double tolerance) {
  ASSERT_EQ(loops.rows(), written.rows());
  EXPECT_GT(loops.rows(), 10U);
  for (const auto& column : written.columns) {
    const auto* own = loops.find(column.name);
    ASSERT_NE(own, nullptr) << column.name;
    EXPECT_EQ(own->role, column.role) << column.name;
    // Residuals are themselves of the size of rounding.
    if (column.role == analyse::Role::residual) continue;
    EXPECT_LT(difference(own->values, column.values), tolerance) << column.name;
  }
  EXPECT_EQ(loops.columns.size(), written.columns.size());
}

/// Expects that a run has the same bits on all cores and on one. `run` returns its columns, which are returned here.
template <class Run>
analyse::Trajectory expect_same_bits_for_any_threads(const Run& run, std::string_view what = "") {
  const analyse::Trajectory many = run();
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const analyse::Trajectory single = run();
  EXPECT_EQ(many.columns.size(), single.columns.size()) << what;
  for (std::size_t k = 0; k < many.columns.size(); ++k)
    EXPECT_EQ(many.columns[k].values, single.columns[k].values) << what << ' ' << many.columns[k].name;
  return many;
}

}  // namespace herglotz::families
