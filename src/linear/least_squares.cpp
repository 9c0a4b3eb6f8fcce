#include "herglotz/linear/least_squares.hpp"

#include <Eigen/QR>

namespace herglotz::linear {

CompleteOrthogonal::CompleteOrthogonal(const Eigen::Ref<const Eigen::MatrixXd>& A, std::optional<double> threshold) {
  const auto factors = std::make_shared<Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>>(A.rows(), A.cols());
  if (threshold) factors->setThreshold(*threshold);
  factors->compute(A);
  factors_ = factors;
}

Eigen::Index CompleteOrthogonal::rank() const {
  return factors_->rank();
}

Eigen::MatrixXd CompleteOrthogonal::kernel() const {
  const Eigen::MatrixXd rows = factors_->matrixZ().adjoint().rightCols(factors_->cols() - rank());
  return factors_->colsPermutation() * rows;
}

Eigen::VectorXd CompleteOrthogonal::solution(const Eigen::VectorXd& b) const {
  return factors_->solve(b);
}

Eigen::MatrixXd CompleteOrthogonal::solution(const Eigen::MatrixXd& b) const {
  return factors_->solve(b);
}

Eigen::MatrixXd pseudo_inverse(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  return Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(A).pseudoInverse();
}

}  // namespace herglotz::linear
