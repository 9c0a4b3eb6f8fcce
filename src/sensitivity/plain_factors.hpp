#pragma once
/// Square matrices in lanes as products of triangular factors, without exchanges of rows.

#include <cstddef>
#include <vector>

#include "herglotz/kernel/numbers.hpp"

namespace herglotz::sensitivity {

/// A = L U with a unit diagonal in L, one matrix in every lane. A pivot has to stand out of its column: where one does
/// not, exchanges would be needed.
template <int W>
class PlainFactors {
 public:
  using P = kernel::NumbersOf<W>;

  explicit PlainFactors(std::size_t size) : size_(size), entries_(size * size * W), largest_(size * W) {}

  void clear() { entries_.assign(entries_.size(), 0.0); }
  void add(std::size_t i, std::size_t j, const P& value) {
    double* const entry = at(i, j);
    kernel::store(entry, kernel::load<P>(entry) + value);
  }

  /// Factorises the matrix in place. Returns whether all pivots stand out.
  bool compute() {
    constexpr double least = 1e-4;
    for (std::size_t j = 0; j < size_; ++j) {
      P most{};
      for (std::size_t i = 0; i < size_; ++i) most = kernel::larger(most, kernel::magnitude(get(i, j)));
      kernel::store(&largest_[j * W], most * kernel::all<P>(least));
    }
    P sound = kernel::all<P>(1.0);
    for (std::size_t c = 0; c < size_; ++c) {
      const P pivot = get(c, c);
      const P zero{};
      sound = kernel::choose(kernel::magnitude(pivot) > kernel::load<P>(&largest_[c * W]), sound, zero);
      const P inverse = kernel::all<P>(1.0) / pivot;
      kernel::store(at(c, c), inverse);
      for (std::size_t i = c + 1; i < size_; ++i) {
        const P factor = get(i, c) * inverse;
        kernel::store(at(i, c), factor);
        for (std::size_t j = c + 1; j < size_; ++j) kernel::store(at(i, j), get(i, j) - factor * get(c, j));
      }
    }
    double numbers[W];
    kernel::store(numbers, sound);
    for (const double number : numbers)
      if (number == 0) return false;
    return true;
  }

  /// Replaces b by A^-1 b, or by A^-T b. What is known of x is taken from all that is left at once, as sums would wait
  /// for their terms.
  void solve(double* b) const {
    for (std::size_t j = 0; j < size_; ++j) {
      const P x = kernel::load<P>(b + j * W);
      for (std::size_t i = j + 1; i < size_; ++i) subtract(b + i * W, get(i, j) * x);
    }
    for (std::size_t j = size_; j-- > 0;) {
      const P x = kernel::load<P>(b + j * W) * get(j, j);
      kernel::store(b + j * W, x);
      for (std::size_t i = 0; i < j; ++i) subtract(b + i * W, get(i, j) * x);
    }
  }
  void solve_transposed(double* b) const {
    for (std::size_t i = 0; i < size_; ++i) {
      const P x = kernel::load<P>(b + i * W) * get(i, i);
      kernel::store(b + i * W, x);
      for (std::size_t j = i + 1; j < size_; ++j) subtract(b + j * W, get(i, j) * x);
    }
    for (std::size_t i = size_; i-- > 0;) {
      const P x = kernel::load<P>(b + i * W);
      for (std::size_t j = 0; j < i; ++j) subtract(b + j * W, get(i, j) * x);
    }
  }

 private:
  static void subtract(double* from, const P& value) { kernel::store(from, kernel::load<P>(from) - value); }
  [[nodiscard]] double* at(std::size_t i, std::size_t j) { return entries_.data() + (i * size_ + j) * W; }
  [[nodiscard]] P get(std::size_t i, std::size_t j) const {
    return kernel::load<P>(entries_.data() + (i * size_ + j) * W);
  }

  std::size_t size_;
  std::vector<double> entries_;  // row by row; reciprocals of the pivots on the diagonal
  std::vector<double> largest_;  // of each column, times the share that a pivot has to have
};

}  // namespace herglotz::sensitivity
