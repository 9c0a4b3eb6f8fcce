#pragma once
/// How far two states are from each other.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace herglotz::test {

/// Returns the largest |a - b| of an entry.
inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace herglotz::test
