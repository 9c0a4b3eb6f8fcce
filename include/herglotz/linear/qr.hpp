#pragma once
/// A = Q R with orthonormal columns of Q, as the columns come and with exchanges of columns.

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

namespace herglotz::linear {

/// Factors A = Q R of a matrix A (m x n) by Householder's reflections, with k = min(m, n).
class HouseholderQr {
 public:
  explicit HouseholderQr(const Eigen::Ref<const Eigen::MatrixXd>& A);

  /// Returns Q (m x k).
  [[nodiscard]] Eigen::MatrixXd Q() const;
  /// Returns R (k x n), zero below its diagonal. The signs of its diagonal are those that the reflections give.
  [[nodiscard]] Eigen::MatrixXd R() const;

 private:
  std::shared_ptr<const Eigen::HouseholderQR<Eigen::MatrixXd>> qr_;
};

/// Factors A P = Q R of a matrix A (m x n), where each pivot belongs to the column that is farthest from the span of
/// those before. Pivots that are at most `threshold` times the largest are taken as zero; without one, that is the
/// rounding of a matrix of this size.
class PivotedQr {
 public:
  explicit PivotedQr(const Eigen::Ref<const Eigen::MatrixXd>& A, std::optional<double> threshold = std::nullopt);

  [[nodiscard]] Eigen::Index rank() const;
  /// Returns the diagonal of R, min(m, n) numbers of falling size.
  [[nodiscard]] Eigen::VectorXd pivots() const;
  /// Returns the columns of A in the order of their pivots.
  [[nodiscard]] std::vector<Eigen::Index> columns() const;
  /// Returns an orthonormal basis (m x (m - rank)) of what is orthogonal to all columns of A.
  [[nodiscard]] Eigen::MatrixXd complement() const;

 private:
  std::shared_ptr<const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>> qr_;
};

/// Returns an orthonormal basis of the x with A x = 0, from the rows of A.
[[nodiscard]] Eigen::MatrixXd null_space(const Eigen::Ref<const Eigen::MatrixXd>& A);

}  // namespace herglotz::linear
