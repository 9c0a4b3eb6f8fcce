#pragma once
/// Sums of many small increments without accumulated round-off.

#include <cstddef>
#include <vector>

namespace herglotz::integrate {

/// A vector with the low-order parts that its additions lost (Kahan).
class CompensatedVector {
 public:
  void resize(std::size_t size) {
    value_.assign(size, 0.0);
    lost_.assign(size, 0.0);
  }
  void set(std::size_t i, double value) {
    value_[i] = value;
    lost_[i] = 0;
  }
  void add(std::size_t i, double increment) {
    const double corrected = increment - lost_[i];
    const double sum = value_[i] + corrected;
    lost_[i] = (sum - value_[i]) - corrected;
    value_[i] = sum;
  }
  double operator[](std::size_t i) const { return value_[i]; }
  /// What the sum of all increments has beyond (*this)[i].
  [[nodiscard]] double rest(std::size_t i) const { return -lost_[i]; }
  [[nodiscard]] const double* data() const { return value_.data(); }

 private:
  std::vector<double> value_;
  std::vector<double> lost_;
};

}  // namespace herglotz::integrate
