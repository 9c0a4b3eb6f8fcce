#pragma once
/// Elimination with partial pivoting, for one system or for one in every lane.

#include <cstddef>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"
#include "numerics/pack.hpp"

namespace herglotz::integrate {

/// Factors of a square matrix. The pivot of a column is found by exchanging rows pairwise, so that every lane can have
/// its own pivot and a single system has the bits of a lane.
template <class P>
class LaneElimination {
 public:
  using M = MaskOf<P>;

  void resize(std::size_t size) {
    size_ = size;
    entries_.resize(size * size);
    exchanged_.resize(size * (size - (size > 0 ? 1 : 0)) / 2);
    largest_.resize(size);
  }
  /// Returns entry (i, j), stored row by row. Entries must be written before compute().
  P& at(std::size_t i, std::size_t j) { return entries_[i * size_ + j]; }

  /// Computes the factors. Returns the lanes in which no pivot is round-off beside its column.
  M compute() {
    constexpr double round_off = 1e-14;
    for (std::size_t j = 0; j < size_; ++j) {
      P largest(0.0);
      for (std::size_t i = 0; i < size_; ++i) largest = larger(magnitude(at(i, j)), largest);
      largest_[j] = largest;
    }
    M regular = P(0.0) <= P(0.0);
    std::size_t pair = 0;
    for (std::size_t c = 0; c < size_; ++c) {
      for (std::size_t i = c + 1; i < size_; ++i, ++pair) {
        const M exchange = magnitude(at(i, c)) > magnitude(at(c, c));
        exchanged_[pair] = exchange;
        if (!any(exchange)) continue;
        for (std::size_t j = 0; j < size_; ++j) swap(exchange, at(i, j), at(c, j));
      }
      const P pivot = at(c, c);
      regular = regular & (magnitude(pivot) > P(round_off) * largest_[c]);
      const P inverse = P(1.0) / pivot;
      at(c, c) = inverse;
      const P* const upper = entries_.data() + c * size_;
      for (std::size_t i = c + 1; i < size_; ++i) {
        P* const row = entries_.data() + i * size_;
        const P factor = row[c] * inverse;
        row[c] = factor;
        for (std::size_t j = c + 1; j < size_; ++j) row[j] -= factor * upper[j];
      }
    }
    return regular;
  }

  /// Overwrites b with the solution.
  void solve(P* b) const {
    std::size_t pair = 0;
    for (std::size_t c = 0; c < size_; ++c)
      for (std::size_t i = c + 1; i < size_; ++i, ++pair)
        if (any(exchanged_[pair])) swap(exchanged_[pair], b[i], b[c]);
    for (std::size_t i = 1; i < size_; ++i) {
      P sum = b[i];
      for (std::size_t j = 0; j < i; ++j) sum -= entries_[i * size_ + j] * b[j];
      b[i] = sum;
    }
    for (std::size_t i = size_; i-- > 0;) {
      P sum = b[i];
      for (std::size_t j = i + 1; j < size_; ++j) sum -= entries_[i * size_ + j] * b[j];
      b[i] = sum * entries_[i * size_ + i];
    }
  }

 private:
  static void swap(M exchange, P& a, P& b) {
    const P kept = a;
    a = select(exchange, b, a);
    b = select(exchange, kept, b);
  }

  std::size_t size_ = 0;
  std::vector<P> entries_;
  std::vector<M> exchanged_;  // true if the rows of a pair (c, i) were exchanged
  std::vector<P> largest_;    // largest entry of each column before elimination
};

/// Writes [W, -Phi_y^T; Phi_w, 0] and (b, -beta) from the blocks (W, b, Phi_y, Phi_w, beta) that a mass kernel
/// computes.
template <class P>
void load_saddle(const Dynamics& dynamics, const P* blocks, LaneElimination<P>& matrix, P* right) {
  const std::size_t r = dynamics.r;
  const std::size_t m = dynamics.m;
  const P* const b = blocks + r * r;
  const P* const Phi_y = b + r;
  const P* const Phi_w = Phi_y + m * r;
  const P* const beta = Phi_w + m * r;
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j < r; ++j) matrix.at(i, j) = blocks[i * r + j];
    for (std::size_t A = 0; A < m; ++A) {
      matrix.at(i, r + A) = -Phi_y[A * r + i];
      matrix.at(r + A, i) = Phi_w[A * r + i];
    }
    right[i] = b[i];
  }
  for (std::size_t A = 0; A < m; ++A) {
    for (std::size_t B = 0; B < m; ++B) matrix.at(r + A, r + B) = P(0.0);
    right[r + A] = -beta[A];
  }
}

}  // namespace herglotz::integrate
