#include <Eigen/SparseLU>
#include <cmath>
#include <vector>

#include "herglotz/mechanics/singular.hpp"

namespace herglotz::mechanics {

bool surely_regular(std::span<const double> matrix, std::size_t size) {
  constexpr double margin = 1e-9;
  const auto n = static_cast<Eigen::Index>(size);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      if (matrix[i * size + j] != 0)
        entries.emplace_back(static_cast<int>(i), static_cast<int>(j), matrix[i * size + j]);
  // Eigen's factors of a large matrix with hardly any entries would wait for memory for ever.
  if (entries.size() < size) return false;
  Eigen::SparseMatrix<double> A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  const double length = A.norm();
  if (size == 0 || !std::isfinite(length)) return false;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factors;
  factors.compute(A);
  if (factors.info() != Eigen::Success) return false;
  double inverse = 0;
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    unit[k] = 1;
    inverse += factors.solve(unit).squaredNorm();
    unit[k] = 0;
  }
  // An inverse that is not a number fails the comparison.
  return std::isfinite(inverse) && margin * length * std::sqrt(inverse) < 1;
}

}  // namespace herglotz::mechanics
