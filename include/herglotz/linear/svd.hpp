#pragma once
/// Singular values A = U S V^T.

#include <Eigen/Core>
#include <memory>
#include <optional>

namespace herglotz::linear {

/// Returns the singular values of A, the largest first. Bisection takes a tenth of the time of rotations for large
/// matrices, which need singular values to rounding of the largest one only.
[[nodiscard]] Eigen::VectorXd singular_values(const Eigen::Ref<const Eigen::MatrixXd>& A);

/// Singular vectors that are computed, of a matrix (m x n) with k = min(m, n).
enum class SingularVectors {
  thin,      ///< k columns of U and k of V
  all_left,  ///< m columns of U, none of V
  all_right  ///< n columns of V, none of U
};

/// Factors A = U S V^T of a matrix A (m x n) of any rank by two-sided rotations. Singular values that are at most
/// `threshold` times the largest are taken as zero; without one, that is the rounding of a matrix of this size.
class Svd {
 public:
  explicit Svd(const Eigen::Ref<const Eigen::MatrixXd>& A, SingularVectors vectors = SingularVectors::thin,
               std::optional<double> threshold = std::nullopt);

  /// Returns the min(m, n) singular values, the largest first.
  [[nodiscard]] const Eigen::VectorXd& values() const;
  [[nodiscard]] const Eigen::MatrixXd& U() const;
  [[nodiscard]] const Eigen::MatrixXd& V() const;
  [[nodiscard]] Eigen::Index rank() const;
  /// Returns the x with the smallest |x| of those with the smallest |A x - b|, for b with m entries. Needs the thin
  /// vectors.
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  std::shared_ptr<const Eigen::JacobiSVD<Eigen::MatrixXd>> svd_;
};

}  // namespace herglotz::linear
