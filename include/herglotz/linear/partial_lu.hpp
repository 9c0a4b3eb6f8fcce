#pragma once
/// P A = L U of a square matrix, with exchanges of rows.

#include <Eigen/Core>
#include <memory>

#include "herglotz/linear/solution.hpp"

namespace herglotz::linear {

/// Factors P A = L U of a matrix A (n x n), the quickest way to x with A x = b. It cannot say whether A is singular:
/// the entries of x are then infinite, NaN or large. Copies share the factors until one of them computes others.
class PartialLu {
 public:
  PartialLu() = default;
  explicit PartialLu(const Eigen::Ref<const Eigen::MatrixXd>& A) { compute(A); }

  /// Replaces the factors by those of another matrix.
  void compute(const Eigen::Ref<const Eigen::MatrixXd>& A);
  /// Returns n, which is 0 before the first matrix.
  [[nodiscard]] Eigen::Index size() const;

  /// Returns x with A x = b, for b with n rows.
  template <class B>
  [[nodiscard]] Solution<B> solve(const Eigen::MatrixBase<B>& b) const {
    const Solution<B>& right = b.derived();
    return solution(right);
  }
  /// Returns A^-1.
  [[nodiscard]] Eigen::MatrixXd inverse() const;
  /// Returns an estimate of 1/(|A| |A^-1|) in the norm of column sums.
  [[nodiscard]] double reciprocal_condition() const;

  /// Returns U with L below its diagonal, on which L is 1.
  [[nodiscard]] const Eigen::MatrixXd& triangles() const;
  /// Returns P.
  [[nodiscard]] const Eigen::PermutationMatrix<Eigen::Dynamic>& order() const;

 private:
  [[nodiscard]] Eigen::VectorXd solution(const Eigen::VectorXd& b) const;
  [[nodiscard]] Eigen::MatrixXd solution(const Eigen::MatrixXd& b) const;

  std::shared_ptr<Eigen::PartialPivLU<Eigen::MatrixXd>> lu_;
};

}  // namespace herglotz::linear
