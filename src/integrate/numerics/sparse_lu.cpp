#include "numerics/sparse_lu.hpp"

#include <Eigen/SparseLU>
#include <algorithm>
#include <limits>

namespace herglotz::integrate {

struct SparseLU::Factors {
  Eigen::SparseMatrix<double> matrix;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  bool regular = false;
};

bool SparseLU::pays(std::size_t size, std::size_t entries) {
  constexpr std::size_t smallest = 128;  // the searches for places of sparse elimination cost more below
  constexpr std::size_t density = 8;
  return size > smallest && entries * density < size * size;
}

void SparseLU::compute(std::size_t size, const std::vector<Place>& places, const double* values, std::size_t stride) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(places.size());
  for (std::size_t k = 0; k < places.size(); ++k)
    entries.emplace_back(places[k].row, places[k].col, values[k * stride]);
  // Factors that a copy holds must not change.
  if (factors_ == nullptr || factors_.use_count() > 1) factors_ = std::make_shared<Factors>();
  const auto n = static_cast<Eigen::Index>(size);
  factors_->matrix.resize(n, n);
  factors_->matrix.setFromTriplets(entries.begin(), entries.end());
  // Eigen's factors of a large matrix with hardly any entries would wait for memory for ever.
  factors_->regular = false;
  if (factors_->matrix.nonZeros() < n) return;
  factors_->lu.compute(factors_->matrix);
  factors_->regular = factors_->lu.info() == Eigen::Success;
}

bool SparseLU::compute_if_sparse(std::size_t size, const double* matrix) {
  if (!pays(size, size)) return false;
  std::vector<Place> places;
  std::vector<double> entries;
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = 0; i < size; ++i) {
      const double entry = matrix[j * size + i];
      if (entry == 0) continue;
      places.push_back({static_cast<int>(i), static_cast<int>(j)});
      entries.push_back(entry);
    }
    if (!pays(size, entries.size())) return false;
  }
  compute(size, places, entries.data(), 1);
  return true;
}

void SparseLU::solve(const double* b, double* x, std::size_t stride) const {
  using Strided = Eigen::InnerStride<>;
  if (factors_ == nullptr) return;  // a lane that was never used
  const Eigen::Index n = factors_->matrix.rows();
  const Strided step(static_cast<Eigen::Index>(stride));
  Eigen::Map<Eigen::VectorXd, 0, Strided> solution(x, n, step);
  if (!factors_->regular) {
    solution.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const Eigen::VectorXd right = Eigen::Map<const Eigen::VectorXd, 0, Strided>(b, n, step);
  const Eigen::VectorXd found = factors_->lu.solve(right);
  solution = found;
}

}  // namespace herglotz::integrate
