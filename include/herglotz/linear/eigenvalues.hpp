#pragma once
/// Eigenvalues of square matrices.

#include <Eigen/Core>

namespace herglotz::linear {

/// Returns the eigenvalues of A, complex ones in pairs, in no particular order.
[[nodiscard]] Eigen::VectorXcd eigenvalues(const Eigen::Ref<const Eigen::MatrixXd>& A);

/// Returns the eigenvalues of a symmetric A, the smallest first. Only its lower triangle is read.
[[nodiscard]] Eigen::VectorXd symmetric_eigenvalues(const Eigen::Ref<const Eigen::MatrixXd>& A);

/// Returns the lambda with A x = lambda B x for an x != 0, the smallest first, for symmetric A and B, B positive
/// definite. Only their lower triangles are read.
[[nodiscard]] Eigen::VectorXd symmetric_eigenvalues(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                                    const Eigen::Ref<const Eigen::MatrixXd>& B);

}  // namespace herglotz::linear
