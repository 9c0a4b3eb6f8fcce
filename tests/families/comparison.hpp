#pragma once
/// Comparison of runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

}  // namespace herglotz::families
