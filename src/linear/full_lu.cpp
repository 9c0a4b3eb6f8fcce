#include "herglotz/linear/full_lu.hpp"

#include <Eigen/LU>

namespace herglotz::linear {

FullLu::FullLu(const Eigen::Ref<const Eigen::MatrixXd>& A, std::optional<double> threshold) {
  const auto lu = std::make_shared<Eigen::FullPivLU<Eigen::MatrixXd>>(A);
  if (threshold) lu->setThreshold(*threshold);
  lu_ = lu;
}

Eigen::Index FullLu::rank() const {
  return lu_->rank();
}

bool FullLu::is_invertible() const {
  return lu_->isInvertible();
}

Eigen::MatrixXd FullLu::kernel() const {
  const Eigen::MatrixXd basis = lu_->kernel();
  // Eigen returns a column of zeros if there is nothing but x = 0.
  return basis.leftCols(lu_->dimensionOfKernel());
}

double FullLu::reciprocal_condition() const {
  return lu_->rcond();
}

Eigen::VectorXd FullLu::solution(const Eigen::VectorXd& b) const {
  return lu_->solve(b);
}

Eigen::MatrixXd FullLu::solution(const Eigen::MatrixXd& b) const {
  return lu_->solve(b);
}

Eigen::MatrixXd FullLu::inverse() const {
  return lu_->inverse();
}

}  // namespace herglotz::linear
