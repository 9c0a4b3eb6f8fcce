#pragma once
/// Small dense matrices of the numbers of one run, or of one run in every lane.

#include <cstddef>
#include <vector>

#include "numerics/lane_lu.hpp"

namespace herglotz::integrate {

/// Dense matrix that is stored row by row.
template <class P>
class SmallMatrix {
 public:
  /// Sets the size, and all entries to zero.
  void resize(std::size_t rows, std::size_t cols) {
    rows_ = rows;
    cols_ = cols;
    entries_.assign(rows * cols, P(0.0));
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t cols() const { return cols_; }
  P& operator()(std::size_t i, std::size_t j) { return entries_[i * cols_ + j]; }
  const P& operator()(std::size_t i, std::size_t j) const { return entries_[i * cols_ + j]; }
  std::vector<P>& entries() { return entries_; }
  [[nodiscard]] const std::vector<P>& entries() const { return entries_; }
  P* data() { return entries_.data(); }
  [[nodiscard]] const P* row(std::size_t i) const { return entries_.data() + i * cols_; }

  void fill(P value) {
    for (P& entry : entries_) entry = value;
  }

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::vector<P> entries_;
};

/// Computes product = A B.
template <class P>
void multiply(const SmallMatrix<P>& A, const SmallMatrix<P>& B, SmallMatrix<P>& product) {
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < B.cols(); ++j) {
      P sum(0.0);
      for (std::size_t k = 0; k < A.cols(); ++k) sum += A(i, k) * B(k, j);
      product(i, j) = sum;
    }
  }
}

/// Computes product = A^T x.
template <class P>
void multiply_transposed(const SmallMatrix<P>& A, const P* x, P* product) {
  for (std::size_t j = 0; j < A.cols(); ++j) product[j] = P(0.0);
  for (std::size_t i = 0; i < A.rows(); ++i) {
    const P* const row = A.row(i);
    for (std::size_t j = 0; j < A.cols(); ++j) product[j] += row[j] * x[i];
  }
}

/// Square system that is solved once or a few times. Its solution is infinite or NaN if the matrix is singular.
template <class P>
class SquareSystem {
 public:
  void resize(std::size_t size) {
    factors_.resize(size, false);
    unit_.resize(size);
    column_.resize(size);
  }
  P& at(std::size_t i, std::size_t j) { return factors_.at(i, j); }
  /// Factorises the matrix, after all entries have been written.
  void compute() { factors_.compute(P(0.0) > P(0.0)); }
  void solve(const P* b, P* x) const { factors_.solve(b, x); }
  void invert(SmallMatrix<P>& inverse) {
    compute();
    for (P& entry : unit_) entry = P(0.0);
    for (std::size_t j = 0; j < unit_.size(); ++j) {
      unit_[j] = P(1.0);
      solve(unit_.data(), column_.data());
      unit_[j] = P(0.0);
      for (std::size_t i = 0; i < unit_.size(); ++i) inverse(i, j) = column_[i];
    }
  }

 private:
  LaneLU<P, 0> factors_;
  std::vector<P> unit_;
  std::vector<P> column_;
};

}  // namespace herglotz::integrate
