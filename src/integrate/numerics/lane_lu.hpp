#pragma once
/// LU factors with partial pivoting, of one system or of one in every lane. All dense systems of this room come here.

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "numerics/pack.hpp"

namespace herglotz::integrate {

/// Array of Fixed numbers if Fixed > 0, and a vector otherwise.
template <class P, int Fixed>
using Numbers =
    std::conditional_t<(Fixed > 0), std::array<P, static_cast<std::size_t>(Fixed > 0 ? Fixed : 1)>, std::vector<P>>;

/// Square matrix, stored column by column, and its factors. The pivot of a column is its largest entry, separately in
/// each lane, so that a single system has the bits of a lane. Factors may serve many right-hand sides, as in Newton's
/// iteration. Size is the size of the matrix if it is known at compile time, and 0 otherwise.
template <class P, int Size>
class LaneLU {
 public:
  using M = MaskOf<P>;

  /// Sets the size. If `inverts`, the matrix is inverted: one product with an inverse that serves many steps beats two
  /// triangular solves of medium size.
  void resize(std::size_t size, bool inverts = false) {
    rows_ = size;
    inverts_ = inverts;
    pivots_.resize(size);
    kept_pivots_.resize(size);
    if constexpr (Size == 0) {
      entries_.resize(size * size);
      column_.resize(size);
      if constexpr (several) kept_.resize(size * size);
    }
  }
  [[nodiscard]] std::size_t size() const { return Size > 0 ? static_cast<std::size_t>(Size) : rows_; }

  /// Sets all entries to zero, to be added to before compute(), which leaves other numbers in their place.
  void clear() {
    for (P& entry : entries_) entry = P(0.0);
  }
  P& at(std::size_t i, std::size_t j) { return entries_[j * size() + i]; }

  /// Factorises or inverts the matrix; the lanes of `keep` keep their former result. Returns the lanes in which the
  /// matrix is finite.
  M compute(M keep) {
    const M finite = finite_numbers(entries_.data(), entries_.size());
    if (inverts_)
      invert();
    else
      factorise([](std::size_t, const P&) {});
    if constexpr (several) store(keep);
    return finite;
  }
  /// Factorises the matrix in all lanes. Returns the lanes in which no pivot is round-off beside its column.
  M compute_regular() {
    constexpr double round_off = 1e-14;
    for (std::size_t j = 0; j < size(); ++j) {
      P largest(0.0);
      for (std::size_t i = 0; i < size(); ++i) largest = larger(magnitude(column(j)[i]), largest);
      column_[j] = largest;
    }
    M regular = P(0.0) <= P(0.0);
    factorise(
        [&](std::size_t c, const P& pivot) { regular = regular & (magnitude(pivot) > P(round_off) * column_[c]); });
    if constexpr (several) store(P(0.0) > P(0.0));
    return regular;
  }

  /// Computes x = A^-1 b. Unless the matrix is inverted, b may be x itself. The entries are infinite or NaN if A is
  /// singular.
  void solve(const P* b, P* x) const {
    if (inverts_)
      multiply(b, x);
    else
      substitute(b, x);
  }

 private:
  static constexpr bool several = LanesOf<P>::width > 1;
  static constexpr int squared = Size * Size;

  [[nodiscard]] const P* column(const Numbers<P, squared>& matrix, std::size_t j) const {
    return matrix.data() + j * size();
  }
  P* column(std::size_t j) { return entries_.data() + j * size(); }

  /// Row that each lane exchanged with the row of a column.
  using Pivot = std::conditional_t<several, P, std::size_t>;

  void store(M keep) {
    if (!any(keep)) {
      std::swap(kept_, entries_);
      std::swap(kept_pivots_, pivots_);
      return;
    }
    for (std::size_t k = 0; k < kept_.size(); ++k) kept_[k] = select(keep, kept_[k], entries_[k]);
    if constexpr (several)
      for (std::size_t c = 0; c < size(); ++c) kept_pivots_[c] = select(keep, kept_pivots_[c], pivots_[c]);
  }
  [[nodiscard]] const Numbers<P, squared>& result() const {
    if constexpr (several)
      return kept_;
    else
      return entries_;
  }
  [[nodiscard]] const std::vector<Pivot>& result_pivots() const {
    if constexpr (several)
      return kept_pivots_;
    else
      return pivots_;
  }

  static void swap(M lanes, P& a, P& b) {
    const P kept = a;
    a = select(lanes, b, a);
    b = select(lanes, kept, b);
  }
  /// Exchanges, in every lane, the part of c with the part of its pivot: calls `exchange(lanes, row)` for every pivot
  /// row.
  template <class Exchange>
  static void exchange_with(const Pivot& pivot, std::size_t c, const Exchange& exchange) {
    if constexpr (several) {
      const P own(static_cast<double>(c));
      M left = !((pivot <= own) & (pivot >= own));
      for (int lane = 0; any(left); ++lane) {
        if (!lane_of(left, lane)) continue;
        const P row(lane_of(pivot, lane));
        const M lanes = (pivot <= row) & (pivot >= row);
        exchange(lanes, static_cast<std::size_t>(lane_of(pivot, lane)));
        left = left & !lanes;
      }
    } else if (pivot != c) {
      exchange(true, pivot);
    }
  }
  /// Brings the largest entry of column c, from row c on, to row c.
  void pivot(std::size_t c) {
    const P* const entries = column(c);
    P largest = magnitude(entries[c]);
    P place(static_cast<double>(c));
    for (std::size_t i = c + 1; i < size(); ++i) {
      const P entry = magnitude(entries[i]);
      const M more = entry > largest;
      largest = select(more, entry, largest);
      place = select(more, P(static_cast<double>(i)), place);
    }
    if constexpr (several)
      pivots_[c] = place;
    else
      pivots_[c] = static_cast<std::size_t>(place);
    exchange_with(pivots_[c], c, [&](M lanes, std::size_t row) {
      for (std::size_t j = 0; j < size(); ++j) swap(lanes, column(j)[c], column(j)[row]);
    });
  }

  /// Inverts the matrix in place, by Gauss-Jordan elimination.
  void invert() {
    const std::size_t n = size();
    for (std::size_t c = 0; c < n; ++c) {
      pivot(c);
      P* const eliminated = column(c);
      const P inverse = P(1.0) / eliminated[c];
      for (std::size_t i = 0; i < n; ++i) column_[i] = eliminated[i];
      column_[c] = P(0.0);
      for (std::size_t j = 0; j < n; ++j) {
        if (j == c) continue;
        P* const entries = column(j);
        const P factor = entries[c] * inverse;
        for (std::size_t i = 0; i < n; ++i) entries[i] -= column_[i] * factor;
        entries[c] = factor;
      }
      for (std::size_t i = 0; i < n; ++i) eliminated[i] = -(column_[i] * inverse);
      eliminated[c] = inverse;
    }
    for (std::size_t c = n; c-- > 0;) {
      exchange_with(pivots_[c], c, [&](M lanes, std::size_t other) {
        for (std::size_t i = 0; i < n; ++i) swap(lanes, column(c)[i], column(other)[i]);
      });
    }
  }
  /// Computes x = A^-1 b, a few rows at a time.
  void multiply(const P* b, P* x) const {
    const std::size_t n = size();
    std::size_t i = 0;
    if constexpr (!several)
      for (; i + 8 <= n; i += 8) multiply_rows<8>(i, b, x);
    for (; i + 4 <= n; i += 4) multiply_rows<4>(i, b, x);
    if (i + 2 <= n) {
      multiply_rows<2>(i, b, x);
      i += 2;
    }
    if (i < n) multiply_rows<1>(i, b, x);
  }
  template <std::size_t together>
  void multiply_rows(std::size_t first, const P* b, P* x) const {
    const std::size_t n = size();
    const P* entries = result().data() + first;
    std::array<P, together> sums;
    for (std::size_t k = 0; k < together; ++k) sums[k] = entries[k] * b[0];
    for (std::size_t j = 1; j < n; ++j) {
      entries += n;
      for (std::size_t k = 0; k < together; ++k) sums[k] += entries[k] * b[j];
    }
    for (std::size_t k = 0; k < together; ++k) x[first + k] = sums[k];
  }

  /// Computes L U in place, with the reciprocals of the pivots on the diagonal. Calls `inspect(c, pivot)` for the pivot
  /// of each column.
  template <class Inspect>
  void factorise(const Inspect& inspect) {
    const std::size_t n = size();
    for (std::size_t c = 0; c < n; ++c) {
      pivot(c);
      P* const factors = column(c);
      inspect(c, factors[c]);
      const P inverse = P(1.0) / factors[c];
      factors[c] = inverse;
      for (std::size_t i = c + 1; i < n; ++i) factors[i] *= inverse;
      for (std::size_t j = c + 1; j < n; ++j) {
        P* const entries = column(j);
        const P factor = entries[c];
        for (std::size_t i = c + 1; i < n; ++i) entries[i] -= factors[i] * factor;
      }
    }
  }
  void substitute(const P* b, P* x) const {
    const std::size_t n = size();
    for (std::size_t i = 0; i < n; ++i) x[i] = b[i];
    for (std::size_t c = 0; c < n; ++c)
      exchange_with(result_pivots()[c], c, [&](M lanes, std::size_t other) { swap(lanes, x[c], x[other]); });
    for (std::size_t c = 0; c < n; ++c) {
      const P* const factors = column(result(), c);
      for (std::size_t i = c + 1; i < n; ++i) x[i] -= factors[i] * x[c];
    }
    for (std::size_t c = n; c-- > 0;) {
      const P* const factors = column(result(), c);
      x[c] *= factors[c];
      for (std::size_t i = 0; i < c; ++i) x[i] -= factors[i] * x[c];
    }
  }

  std::size_t rows_ = 0;
  bool inverts_ = false;
  Numbers<P, squared> entries_{};
  Numbers<P, several ? squared : 0> kept_{};  // results that lanes keep while others take new ones
  Numbers<P, Size> column_{};                 // a column that is eliminated, or the largest entries of columns
  std::vector<Pivot> pivots_;                 // of each column
  std::vector<Pivot> kept_pivots_;
};

}  // namespace herglotz::integrate
