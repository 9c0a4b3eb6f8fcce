#pragma once
/// Sums of many small increments without accumulated round-off.

#include <cstddef>
#include <vector>

namespace herglotz::integrate {

/// Vector with the low-order parts that its additions lost (Kahan). P is double, or a Pack of the numbers of lanes.
template <class P>
class CompensatedSums {
 public:
  void resize(std::size_t size) {
    value_.assign(size, P(0.0));
    lost_.assign(size, P(0.0));
  }
  void set(std::size_t i, P value) {
    value_[i] = value;
    lost_[i] = P(0.0);
  }
  void add(std::size_t i, P increment) {
    const P corrected = increment - lost_[i];
    const P sum = value_[i] + corrected;
    lost_[i] = (sum - value_[i]) - corrected;
    value_[i] = sum;
  }
  P operator[](std::size_t i) const { return value_[i]; }
  /// Returns the part of the sum of all increments that (*this)[i] lacks.
  [[nodiscard]] P rest(std::size_t i) const { return -lost_[i]; }
  [[nodiscard]] const P* data() const { return value_.data(); }

 private:
  std::vector<P> value_;
  std::vector<P> lost_;
};

using CompensatedVector = CompensatedSums<double>;

}  // namespace herglotz::integrate
