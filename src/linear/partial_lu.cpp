#include "herglotz/linear/partial_lu.hpp"

#include <Eigen/LU>

namespace herglotz::linear {

void PartialLu::compute(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  if (!lu_ || lu_.use_count() > 1) lu_ = std::make_shared<Eigen::PartialPivLU<Eigen::MatrixXd>>();
  lu_->compute(A);
}

Eigen::Index PartialLu::size() const {
  return lu_ ? lu_->rows() : 0;
}

Eigen::VectorXd PartialLu::solution(const Eigen::VectorXd& b) const {
  return lu_->solve(b);
}

Eigen::MatrixXd PartialLu::solution(const Eigen::MatrixXd& b) const {
  return lu_->solve(b);
}

Eigen::MatrixXd PartialLu::inverse() const {
  return lu_->inverse();
}

double PartialLu::reciprocal_condition() const {
  return lu_->rcond();
}

const Eigen::MatrixXd& PartialLu::triangles() const {
  return lu_->matrixLU();
}

const Eigen::PermutationMatrix<Eigen::Dynamic>& PartialLu::order() const {
  return lu_->permutationP();
}

}  // namespace herglotz::linear
