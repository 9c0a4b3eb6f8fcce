#include "herglotz/simulate/regularity.hpp"

#include <Eigen/Dense>

namespace herglotz::simulate {

Regularity regularity_of(std::span<const double> w, std::size_t r) {
  constexpr double smallest_ratio = 1e-13;
  Regularity result;
  if (r == 0) return result;
  const auto size = static_cast<Eigen::Index>(r);
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> hessian(w.data(), size,
                                                                                                         size);
  if (!hessian.allFinite()) return {false, false, 0, 0};
  const Eigen::VectorXd rows = hessian.cwiseAbs().rowwise().maxCoeff().cwiseSqrt();
  const Eigen::VectorXd scale = (rows.array() > 0).select(rows.cwiseInverse(), 1.0);
  const Eigen::MatrixXd scaled = scale.asDiagonal() * hessian * scale.asDiagonal();
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(scaled).singularValues();
  result.rank = static_cast<std::size_t>((values.array() > smallest_ratio * values(0)).count());
  result.regular = result.rank == r;
  result.condition = result.regular ? values(0) / values(size - 1) : 0;
  return result;
}

}  // namespace herglotz::simulate
