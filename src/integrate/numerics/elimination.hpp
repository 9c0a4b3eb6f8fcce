#pragma once
/// Pivoted elimination of small dense systems that change at every step.

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace herglotz::integrate {

/// Solver of A x = b by Gaussian elimination with partial pivoting. Up to a dozen rows the set-up of a general library
/// routine costs several times the elimination itself. Larger systems are left to Eigen.
class Elimination {
 public:
  void compute(const Eigen::MatrixXd& matrix) {
    size_ = matrix.rows();
    if (size_ > most) {
      large_.compute(matrix);
      return;
    }
    std::copy_n(matrix.data(), size_ * size_, columns_.begin());
    for (Eigen::Index c = 0; c < size_; ++c) eliminate(c);
  }

  /// Computes x = A^-1 b. The entries are infinite or NaN if A is singular.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const {
    if (size_ > most) {
      x = large_.solve(b);
      return;
    }
    x = b;
    for (Eigen::Index c = 0; c < size_; ++c) std::swap(x(c), x(pivot(c)));
    for (Eigen::Index c = 0; c < size_; ++c) {
      for (Eigen::Index i = c + 1; i < size_; ++i) x(i) -= at(i, c) * x(c);
    }
    for (Eigen::Index c = size_ - 1; c >= 0; --c) {
      x(c) *= at(c, c);
      for (Eigen::Index i = 0; i < c; ++i) x(i) -= at(i, c) * x(c);
    }
  }

 private:
  static constexpr Eigen::Index most = 12;

  [[nodiscard]] double at(Eigen::Index i, Eigen::Index c) const {
    return columns_[static_cast<std::size_t>(c * size_ + i)];
  }
  double& at(Eigen::Index i, Eigen::Index c) { return columns_[static_cast<std::size_t>(c * size_ + i)]; }
  [[nodiscard]] Eigen::Index pivot(Eigen::Index c) const { return pivots_[static_cast<std::size_t>(c)]; }

  /// Computes column c of the factors: multipliers below the diagonal, and the reciprocal of the pivot on it.
  void eliminate(Eigen::Index c) {
    Eigen::Index best = c;
    for (Eigen::Index i = c + 1; i < size_; ++i) {
      if (std::abs(at(i, c)) > std::abs(at(best, c))) best = i;
    }
    pivots_[static_cast<std::size_t>(c)] = best;
    for (Eigen::Index j = 0; best != c && j < size_; ++j) std::swap(at(c, j), at(best, j));
    at(c, c) = 1 / at(c, c);
    for (Eigen::Index i = c + 1; i < size_; ++i) at(i, c) *= at(c, c);
    for (Eigen::Index j = c + 1; j < size_; ++j) {
      const double factor = at(c, j);
      for (Eigen::Index i = c + 1; i < size_; ++i) at(i, j) -= factor * at(i, c);
    }
  }

  Eigen::Index size_ = 0;
  std::array<double, static_cast<std::size_t>(most* most)> columns_{};
  std::array<Eigen::Index, static_cast<std::size_t>(most)> pivots_{};
  Eigen::PartialPivLU<Eigen::MatrixXd> large_;
};

}  // namespace herglotz::integrate
