#pragma once
/// Numbers of one run.

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace herglotz::integrate {

/// Doubles whose number is set before they are used. A few lie in the object itself: a short run would take longer to
/// allocate its arrays than to make its steps.
class ShortArray {
 public:
  ShortArray() = default;
  /// Zeros.
  explicit ShortArray(std::size_t size) { resize(size); }
  ShortArray(const ShortArray& other) { *this = other; }
  ShortArray& operator=(const ShortArray& other) {
    size_ = other.size_;
    far_ = other.far_;
    if (is_near()) std::copy_n(other.near_.begin(), size_, near_.begin());
    return *this;
  }
  ~ShortArray() = default;

  /// Sets the size and all numbers to 0.
  void resize(std::size_t size) {
    size_ = size;
    if (is_near())
      std::fill_n(near_.begin(), size, 0.0);
    else
      far_.assign(size, 0.0);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] double* data() { return is_near() ? near_.data() : far_.data(); }
  [[nodiscard]] const double* data() const { return is_near() ? near_.data() : far_.data(); }
  [[nodiscard]] double* begin() { return data(); }
  [[nodiscard]] const double* begin() const { return data(); }
  [[nodiscard]] double* end() { return data() + size_; }
  [[nodiscard]] const double* end() const { return data() + size_; }
  double& operator[](std::size_t i) { return data()[i]; }
  const double& operator[](std::size_t i) const { return data()[i]; }

 private:
  static constexpr std::size_t near = 16;
  [[nodiscard]] bool is_near() const { return size_ <= near; }

  std::size_t size_ = 0;
  std::array<double, near> near_;  // only the first size_ are set
  std::vector<double> far_;        // empty if all are near
};

}  // namespace herglotz::integrate
