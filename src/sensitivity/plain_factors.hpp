#pragma once
/// Square matrices with known zeros in lanes as products of triangular factors, without exchanges of rows.

#include <cstddef>
#include <vector>

#include "herglotz/kernel/numbers.hpp"

namespace herglotz::sensitivity {

/// A = L U with a unit diagonal in L, one matrix in every lane. A pivot has to stand out of its column: where one does
/// not, exchanges would be needed. Products with entries that are zero in every such matrix are left out.
template <int W>
class PlainFactors {
 public:
  using P = kernel::NumbersOf<W>;

  /// `filled` says row by row which entries may differ from 0.
  PlainFactors(std::size_t size, std::vector<bool> filled)
      : size_(size), entries_(size * size * W), largest_(size * W), columns_(size), rows_(size) {
    for (std::size_t c = 0; c < size; ++c)
      for (std::size_t i = c + 1; i < size; ++i)
        for (std::size_t j = c + 1; j < size && filled[i * size + c]; ++j)
          if (filled[c * size + j]) filled[i * size + j] = true;
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t i = 0; i < size; ++i) {
        if (i == k) continue;
        if (filled[i * size + k]) (i > k ? columns_[k].after : columns_[k].before).push_back({i * W, place(i, k)});
        if (filled[k * size + i]) (i > k ? rows_[k].after : rows_[k].before).push_back({i * W, place(k, i)});
      }
  }

  void clear() { entries_.assign(entries_.size(), 0.0); }
  void add(std::size_t i, std::size_t j, const P& value) {
    double* const entry = entries_.data() + place(i, j);
    kernel::store(entry, kernel::load<P>(entry) + value);
  }

  /// Factorises the matrix in place. Returns whether all pivots stand out.
  bool compute() {
    constexpr double least = 1e-4;
    double* const entries = entries_.data();
    for (std::size_t j = 0; j < size_; ++j) {
      P most = kernel::magnitude(kernel::load<P>(entries + place(j, j)));
      for (const auto* list : {&columns_[j].before, &columns_[j].after})
        for (const Entry& entry : *list)
          most = kernel::larger(most, kernel::magnitude(kernel::load<P>(entries + entry.place)));
      kernel::store(&largest_[j * W], most * kernel::all<P>(least));
    }
    P sound = kernel::all<P>(1.0);
    for (std::size_t c = 0; c < size_; ++c) {
      const P pivot = kernel::load<P>(entries + place(c, c));
      sound = kernel::choose(kernel::magnitude(pivot) > kernel::load<P>(&largest_[c * W]), sound, P{});
      const P inverse = kernel::all<P>(1.0) / pivot;
      kernel::store(entries + place(c, c), inverse);
      const Entry* const first = rows_[c].after.data();
      const Entry* const last = first + rows_[c].after.size();
      for (const Entry& below : columns_[c].after) {
        const P factor = kernel::load<P>(entries + below.place) * inverse;
        kernel::store(entries + below.place, factor);
        double* const row = entries + below.along * size_;
        for (const Entry* right = first; right != last; ++right)
          subtract(row + right->along, factor * kernel::load<P>(entries + right->place));
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
    for (std::size_t j = 0; j < size_; ++j) take(kernel::load<P>(b + j * W), columns_[j].after, b);
    for (std::size_t j = size_; j-- > 0;) take(divide(j, b), columns_[j].before, b);
  }
  void solve_transposed(double* b) const {
    for (std::size_t i = 0; i < size_; ++i) take(divide(i, b), rows_[i].after, b);
    for (std::size_t i = size_; i-- > 0;) take(kernel::load<P>(b + i * W), rows_[i].before, b);
  }

 private:
  /// An entry of a row or a column that may differ from 0.
  struct Entry {
    std::size_t along;  ///< W times its index along the line
    std::size_t place;  ///< where it is among the entries
  };
  /// Entries before the diagonal and after it.
  struct Line {
    std::vector<Entry> before;
    std::vector<Entry> after;
  };

  static void subtract(double* from, const P& value) { kernel::store(from, kernel::load<P>(from) - value); }
  [[nodiscard]] std::size_t place(std::size_t i, std::size_t j) const { return (i * size_ + j) * W; }
  P divide(std::size_t i, double* b) const {
    const P x = kernel::load<P>(b + i * W) * kernel::load<P>(entries_.data() + place(i, i));
    kernel::store(b + i * W, x);
    return x;
  }
  void take(const P& x, const std::vector<Entry>& line, double* b) const {
    const double* const entries = entries_.data();
    const Entry* const last = line.data() + line.size();
    for (const Entry* entry = line.data(); entry != last; ++entry)
      subtract(b + entry->along, kernel::load<P>(entries + entry->place) * x);
  }

  std::size_t size_;
  std::vector<double> entries_;  // row by row; reciprocals of the pivots on the diagonal
  std::vector<double> largest_;  // of each column, times the share that a pivot has to have
  std::vector<Line> columns_;
  std::vector<Line> rows_;
};

}  // namespace herglotz::sensitivity
