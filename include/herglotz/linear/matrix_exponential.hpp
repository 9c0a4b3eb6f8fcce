#pragma once
/// The exponential of a square matrix.

#include <Eigen/Core>

namespace herglotz::linear {

/// Returns e^A = 1 + A + A^2/2 + ..., by scaling, squaring and Pade's approximants.
[[nodiscard]] Eigen::MatrixXd matrix_exponential(const Eigen::Ref<const Eigen::MatrixXd>& A);

}  // namespace herglotz::linear
