#pragma once
/// Solutions of least squares with the smallest norm, by the complete orthogonal decomposition.

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "herglotz/linear/solution.hpp"

namespace herglotz::linear {

/// Factors A P = Q [T 0; 0 0] Z of a matrix A (m x n) of any rank, with orthogonal Q and Z. Pivots that are at most
/// `threshold` times the largest are taken as zero; without one, that is the rounding of a matrix of this size.
class CompleteOrthogonal {
 public:
  explicit CompleteOrthogonal(const Eigen::Ref<const Eigen::MatrixXd>& A,
                              std::optional<double> threshold = std::nullopt);

  [[nodiscard]] Eigen::Index rank() const;
  /// Returns an orthonormal basis (n x (n - rank)) of the x with A x = 0.
  [[nodiscard]] Eigen::MatrixXd kernel() const;
  /// Returns the x with the smallest |x| of those with the smallest |A x - b|, for b with m rows.
  template <class B>
  [[nodiscard]] Solution<B> solve(const Eigen::MatrixBase<B>& b) const {
    const Solution<B>& right = b.derived();
    return solution(right);
  }

 private:
  [[nodiscard]] Eigen::VectorXd solution(const Eigen::VectorXd& b) const;
  [[nodiscard]] Eigen::MatrixXd solution(const Eigen::MatrixXd& b) const;

  std::shared_ptr<const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>> factors_;
};

/// Returns the x with the smallest |x| of those with the smallest |A x - b|, for A of any shape and rank.
template <class B>
[[nodiscard]] Solution<B> least_squares(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::MatrixBase<B>& b,
                                        std::optional<double> threshold = std::nullopt) {
  return CompleteOrthogonal(A, threshold).solve(b);
}

/// Returns A^+ (n x m) of a matrix A (m x n): A^+ b is the solution of least squares with the smallest norm.
[[nodiscard]] Eigen::MatrixXd pseudo_inverse(const Eigen::Ref<const Eigen::MatrixXd>& A);

}  // namespace herglotz::linear
