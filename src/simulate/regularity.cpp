#include "herglotz/simulate/regularity.hpp"

#include <Eigen/Core>

#include "herglotz/kernel/saddle_units.hpp"
#include "herglotz/linear/eigenvalues.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "herglotz/linear/svd.hpp"
#include "herglotz/mechanics/singular.hpp"

namespace herglotz::simulate {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double smallest_ratio = 1e-13;

/// Returns the matrix with the largest entry of each row brought to about 1, from both sides.
RowMajor scaled_to_unit_size(const RowMajor& matrix) {
  const Eigen::VectorXd rows = matrix.cwiseAbs().rowwise().maxCoeff().cwiseSqrt();
  const Eigen::VectorXd scale = (rows.array() > 0).select(rows.cwiseInverse(), 1.0);
  return scale.asDiagonal() * matrix * scale.asDiagonal();
}

Regularity regularity_of(const RowMajor& hessian) {
  Regularity result;
  const Eigen::Index size = hessian.rows();
  if (size == 0) return result;
  if (!hessian.allFinite()) return {false, false, 0, 0};
  const Eigen::MatrixXd scaled = scaled_to_unit_size(hessian);
  const Eigen::VectorXd values = linear::singular_values(scaled);
  result.rank = static_cast<std::size_t>((values.array() > smallest_ratio * values(0)).count());
  result.regular = result.rank == static_cast<std::size_t>(size);
  result.condition = result.regular ? values(0) / values(size - 1) : 0;
  const Eigen::MatrixXd symmetric = (scaled + scaled.transpose()) / 2;
  const Eigen::VectorXd signs = linear::symmetric_eigenvalues(symmetric);
  result.positive = static_cast<std::size_t>((signs.array() > smallest_ratio * values(0)).count());
  result.negative = static_cast<std::size_t>((signs.array() < -smallest_ratio * values(0)).count());
  return result;
}

}  // namespace

Regularity regularity_of(std::span<const double> w, std::size_t r) {
  const auto size = static_cast<Eigen::Index>(r);
  return regularity_of(RowMajor(Eigen::Map<const RowMajor>(w.data(), size, size)));
}

SaddleRegularity saddle_regularity(std::span<const double> blocks, std::size_t r, std::size_t m) {
  const auto rows = static_cast<Eigen::Index>(r);
  const auto constraints = static_cast<Eigen::Index>(m);
  const Eigen::Map<const RowMajor> W(blocks.data(), rows, rows);
  const Eigen::Map<const RowMajor> Phi_y(blocks.data() + r * r, constraints, rows);
  const Eigen::Map<const RowMajor> Phi_w(blocks.data() + r * r + m * r, constraints, rows);
  SaddleRegularity result;
  result.hessian = regularity_of(W);
  result.regular = result.hessian.regular;
  if (m == 0) return result;
  if (!result.hessian.finite || !Phi_y.allFinite() || !Phi_w.allFinite()) {
    result.hessian.finite = result.regular = false;
    return result;
  }
  RowMajor K(rows + constraints, rows + constraints);
  K << W, -Phi_y.transpose(), Phi_w, RowMajor::Zero(constraints, constraints);
  kernel::take_out_units(r, m, [&](std::size_t i, std::size_t j) -> double& {
    return K(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  });
  const RowMajor scaled = scaled_to_unit_size(K);
  result.regular = mechanics::surely_regular({scaled.data(), static_cast<std::size_t>(scaled.size())}, r + m) ||
                   regularity_of(K).regular;
  result.rank = regularity_of(result.hessian.regular ? RowMajor(Phi_w * linear::PartialLu(W).solve(Phi_y.transpose()))
                                                     : RowMajor(Phi_y * Phi_y.transpose()))
                    .rank;
  return result;
}

}  // namespace herglotz::simulate
