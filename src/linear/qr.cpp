#include "herglotz/linear/qr.hpp"

#include <Eigen/QR>
#include <algorithm>

namespace herglotz::linear {

HouseholderQr::HouseholderQr(const Eigen::Ref<const Eigen::MatrixXd>& A)
    : qr_(std::make_shared<Eigen::HouseholderQR<Eigen::MatrixXd>>(A)) {}

Eigen::MatrixXd HouseholderQr::Q() const {
  return qr_->householderQ() * Eigen::MatrixXd::Identity(qr_->rows(), std::min(qr_->rows(), qr_->cols()));
}

Eigen::MatrixXd HouseholderQr::R() const {
  return qr_->matrixQR().topRows(std::min(qr_->rows(), qr_->cols())).triangularView<Eigen::Upper>();
}

PivotedQr::PivotedQr(const Eigen::Ref<const Eigen::MatrixXd>& A, std::optional<double> threshold) {
  const auto qr = std::make_shared<Eigen::ColPivHouseholderQR<Eigen::MatrixXd>>(A.rows(), A.cols());
  if (threshold) qr->setThreshold(*threshold);
  qr->compute(A);
  qr_ = qr;
}

Eigen::Index PivotedQr::rank() const {
  return qr_->rank();
}

Eigen::VectorXd PivotedQr::pivots() const {
  return qr_->matrixQR().diagonal();
}

std::vector<Eigen::Index> PivotedQr::columns() const {
  const auto& indices = qr_->colsPermutation().indices();
  return {indices.begin(), indices.end()};
}

Eigen::MatrixXd PivotedQr::complement() const {
  const Eigen::MatrixXd Q = qr_->householderQ();
  return Q.rightCols(Q.cols() - rank());
}

Eigen::MatrixXd null_space(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  return PivotedQr(A.transpose()).complement();
}

}  // namespace herglotz::linear
