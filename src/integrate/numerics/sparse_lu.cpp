#include "numerics/sparse_lu.hpp"

#include <Eigen/SparseLU>
#include <algorithm>
#include <limits>

namespace herglotz::integrate {

struct SparseLU::Factors {
  using Sparse = Eigen::SparseMatrix<double>;

  std::vector<Place> places;
  std::vector<Eigen::Index> entry_of;  // of each place, the index of its entry among those of the matrix
  Sparse matrix;
  Eigen::SparseLU<Sparse> lu;
  bool regular = false;

  [[nodiscard]] bool has(Eigen::Index size, const std::vector<Place>& given) const {
    return matrix.rows() == size && std::equal(places.begin(), places.end(), given.begin(), given.end(),
                                               [](Place a, Place b) { return a.row == b.row && a.col == b.col; });
  }
  /// Makes a matrix of zeros at these places, and finds the order of its elimination.
  void arrange(Eigen::Index size, const std::vector<Place>& given) {
    places = given;
    std::vector<Eigen::Triplet<double>> zeros;
    zeros.reserve(places.size());
    for (const Place& place : places) zeros.emplace_back(place.row, place.col, 0.0);
    matrix.resize(size, size);
    matrix.setFromTriplets(zeros.begin(), zeros.end());
    entry_of.clear();
    for (const Place& place : places) {
      const int* const inner = matrix.innerIndexPtr();
      const int* const first = inner + matrix.outerIndexPtr()[place.col];
      const int* const last = inner + matrix.outerIndexPtr()[place.col + 1];
      entry_of.push_back(std::lower_bound(first, last, place.row) - inner);
    }
    // Eigen's factors of a large matrix with hardly any entries would wait for memory for ever.
    if (matrix.nonZeros() >= size) lu.analyzePattern(matrix);
  }
};

bool SparseLU::pays(std::size_t size, std::size_t entries) {
  constexpr std::size_t smallest = 128;  // the searches for places of sparse elimination cost more below
  constexpr std::size_t density = 8;
  return size > smallest && entries * density < size * size;
}

void SparseLU::compute(std::size_t size, const std::vector<Place>& places, const double* values, std::size_t stride) {
  // Factors that a copy holds must not change.
  if (factors_ == nullptr || factors_.use_count() > 1) factors_ = std::make_shared<Factors>();
  const auto n = static_cast<Eigen::Index>(size);
  // The order follows from the places alone, so that it serves as long as they stay.
  if (!factors_->has(n, places)) factors_->arrange(n, places);
  Factors::Sparse& matrix = factors_->matrix;
  std::fill_n(matrix.valuePtr(), matrix.nonZeros(), 0.0);
  for (std::size_t k = 0; k < places.size(); ++k) matrix.valuePtr()[factors_->entry_of[k]] += values[k * stride];
  factors_->regular = false;
  if (matrix.nonZeros() < n) return;
  factors_->lu.factorize(matrix);
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
