#pragma once
/// P A Q = L U of any matrix, with exchanges of rows and columns, which shows its rank.

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "herglotz/linear/solution.hpp"

namespace herglotz::linear {

/// Factors P A Q = L U of a matrix A (m x n) with the largest remaining entry as pivot at every step. Pivots that are
/// at most `threshold` times the largest are taken as zero; without one, that is the rounding of a matrix of this size.
class FullLu {
 public:
  explicit FullLu(const Eigen::Ref<const Eigen::MatrixXd>& A, std::optional<double> threshold = std::nullopt);

  [[nodiscard]] Eigen::Index rank() const;
  /// Returns whether A is square and has full rank.
  [[nodiscard]] bool is_invertible() const;
  /// Returns a basis (n x (n - rank)) of the x with A x = 0.
  [[nodiscard]] Eigen::MatrixXd kernel() const;
  /// Returns an estimate of 1/(|A| |A^-1|) in the norm of column sums, for square A.
  [[nodiscard]] double reciprocal_condition() const;

  /// Returns an x with A x = b, for b with m rows, if there is one.
  template <class B>
  [[nodiscard]] Solution<B> solve(const Eigen::MatrixBase<B>& b) const {
    const Solution<B>& right = b.derived();
    return solution(right);
  }
  /// Returns A^-1, for square A.
  [[nodiscard]] Eigen::MatrixXd inverse() const;

 private:
  [[nodiscard]] Eigen::VectorXd solution(const Eigen::VectorXd& b) const;
  [[nodiscard]] Eigen::MatrixXd solution(const Eigen::MatrixXd& b) const;

  std::shared_ptr<const Eigen::FullPivLU<Eigen::MatrixXd>> lu_;
};

}  // namespace herglotz::linear
