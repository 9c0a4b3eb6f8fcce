#include "herglotz/linear/svd.hpp"

#include <Eigen/SVD>
#include <algorithm>

namespace herglotz::linear {
namespace {

unsigned int options_of(SingularVectors vectors) {
  switch (vectors) {
    case SingularVectors::all_left:
      return Eigen::ComputeFullU;
    case SingularVectors::all_right:
      return Eigen::ComputeFullV;
    case SingularVectors::thin:
      break;
  }
  return Eigen::ComputeThinU | Eigen::ComputeThinV;
}

}  // namespace

Eigen::VectorXd singular_values(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  constexpr Eigen::Index most_rotated = 32;
  if (std::min(A.rows(), A.cols()) <= most_rotated) return Eigen::JacobiSVD<Eigen::MatrixXd>(A).singularValues();
  return Eigen::BDCSVD<Eigen::MatrixXd>(A).singularValues();
}

Svd::Svd(const Eigen::Ref<const Eigen::MatrixXd>& A, SingularVectors vectors, std::optional<double> threshold) {
  const auto svd = std::make_shared<Eigen::JacobiSVD<Eigen::MatrixXd>>(A, options_of(vectors));
  if (threshold) svd->setThreshold(*threshold);
  svd_ = svd;
}

const Eigen::VectorXd& Svd::values() const {
  return svd_->singularValues();
}

const Eigen::MatrixXd& Svd::U() const {
  return svd_->matrixU();
}

const Eigen::MatrixXd& Svd::V() const {
  return svd_->matrixV();
}

Eigen::Index Svd::rank() const {
  return svd_->rank();
}

Eigen::VectorXd Svd::solve(const Eigen::VectorXd& b) const {
  return svd_->solve(b);
}

}  // namespace herglotz::linear
