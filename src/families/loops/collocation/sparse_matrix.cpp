#include "loops/collocation/sparse_matrix.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "herglotz/families/site_values.hpp"
#include "herglotz/linear/eigen_views.hpp"

namespace herglotz::families {
namespace {

/// Calls `visit` with the two sites of each block besides those of edges, and with its place among the offsets.
template <class Visit>
void each_block(const Model& model, const SiteBlocks& blocks, const Visit& visit) {
  const std::size_t count = model.count();
  for (std::size_t site = 0; site < count; ++site)
    for (std::size_t k = 0; k < blocks.offsets.size(); ++k) {
      const std::size_t other = place_of(model, site, blocks.offsets[k]);
      if (other != count) visit(site, other, k);
    }
}

/// Makes the matrix; `place` gives the place of a site in the order of the unknowns. Returns false if an entry is not
/// finite.
template <int Order, class Place>
bool assemble(const Model& model, const SiteBlocks& blocks, const Place& place,
              Eigen::SparseMatrix<double, Order>& matrix) {
  const std::size_t size = blocks.size;
  std::vector<Eigen::Triplet<double>> entries;
  bool finite = true;
  const auto add = [&](std::size_t row, std::size_t column, const double* block) {
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        finite = finite && std::isfinite(block[i * size + j]);
        entries.emplace_back(static_cast<int>(place(row) * size + i), static_cast<int>(place(column) * size + j),
                             block[i * size + j]);
      }
  };
  std::vector<double> block(4 * size * size);
  each_block(model, blocks, [&](std::size_t site, std::size_t other, std::size_t offset) {
    blocks.put(site, offset, block.data());
    add(site, other, block.data());
  });
  for (std::size_t e = 0; e < blocks.from.size(); ++e) {
    blocks.put_edge(e, block.data());
    const double* own = block.data();
    for (const std::size_t row : {blocks.from[e], blocks.to[e]})
      for (const std::size_t column : {blocks.from[e], blocks.to[e]}) {
        add(row, column, own);
        own += size * size;
      }
  }
  const auto rows = linear::index(model.count() * size);
  matrix.resize(rows, rows);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return finite;
}

/// Gauss's elimination in an order of the sites that is given.
class Factors final : public StageMatrix {
 public:
  Factors(std::size_t size, const std::vector<std::uint32_t>& place) : size_(size), place_(place) {
    lu_.isSymmetric(true);
    lu_.setPivotThreshold(least_pivot);
  }

  bool factorise(const Model& model, const SiteBlocks& blocks) {
    Eigen::SparseMatrix<double> matrix;
    if (!assemble(model, blocks, [&](std::size_t site) { return place_[site]; }, matrix)) return false;
    lu_.analyzePattern(matrix);
    lu_.factorize(matrix);
    return lu_.info() == Eigen::Success;
  }

  bool solve(std::vector<double>& b) const override {
    Eigen::VectorXd part(linear::index(b.size()));
    const auto at = [&](std::size_t site) { return part.data() + place_[site] * size_; };
    for (std::size_t site = 0; site < place_.size(); ++site) std::copy_n(b.data() + site * size_, size_, at(site));
    part = lu_.solve(part).eval();
    for (std::size_t site = 0; site < place_.size(); ++site) std::copy_n(at(site), size_, b.data() + site * size_);
    return lu_.info() == Eigen::Success && part.allFinite();
  }

 private:
  /// The diagonal is taken as pivot where it has this share of its column, so that the order stays.
  static constexpr double least_pivot = 0.01;

  std::size_t size_;
  std::vector<std::uint32_t> place_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::NaturalOrdering<int>> lu_;
};

class Iteration final : public StageMatrix {
 public:
  Iteration() {
    solver_.setTolerance(tolerance);
    solver_.preconditioner().setDroptol(dropped);
    solver_.preconditioner().setFillfactor(fill);
  }

  bool factorise(const Model& model, const SiteBlocks& blocks) {
    if (!assemble(model, blocks, [](std::size_t site) { return site; }, matrix_)) return false;
    solver_.compute(matrix_);
    return solver_.info() == Eigen::Success;
  }

  bool solve(std::vector<double>& b) const override {
    Eigen::Map<Eigen::VectorXd> part(b.data(), linear::index(b.size()));
    const Eigen::VectorXd found = solver_.solve(part);
    if (solver_.info() != Eigen::Success || !found.allFinite()) return false;
    part = found;
    return true;
  }

 private:
  /// Updates of Newton's iteration, which goes on to round-off, are known to this share.
  static constexpr double tolerance = 1e-4;
  static constexpr double dropped = 1e-4;
  static constexpr int fill = 4;

  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix_;
  Eigen::BiCGSTAB<Eigen::SparseMatrix<double, Eigen::RowMajor>, Eigen::IncompleteLUT<double>> solver_;
};

/// Returns the sites that are joined, each with itself and both ways.
Eigen::SparseMatrix<double> joined_sites(const Model& model, const SiteBlocks& blocks) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto join = [&](std::size_t a, std::size_t b) {
    entries.emplace_back(static_cast<int>(a), static_cast<int>(b), 1.0);
    if (a != b) entries.emplace_back(static_cast<int>(b), static_cast<int>(a), 1.0);
  };
  each_block(model, blocks, [&](std::size_t site, std::size_t other, std::size_t) { join(site, other); });
  for (std::size_t e = 0; e < blocks.from.size(); ++e) join(blocks.from[e], blocks.to[e]);
  const auto rows = linear::index(model.count());
  Eigen::SparseMatrix<double> joined(rows, rows);
  joined.setFromTriplets(entries.begin(), entries.end());
  return joined;
}

/// Returns whether the factors of a matrix with these places, eliminated in their order, have at most so many entries
/// below the diagonal.
bool stays_sparse(const Eigen::SparseMatrix<double>& joined, std::size_t most) {
  // The entries of a row of the factors are those on the ways from its places up the tree of elimination.
  constexpr Eigen::Index none = -1;
  std::vector<Eigen::Index> parent(static_cast<std::size_t>(joined.cols()), none);
  std::vector<Eigen::Index> seen(parent.size(), none);
  std::size_t entries = 0;
  for (Eigen::Index row = 0; row < joined.cols(); ++row) {
    seen[static_cast<std::size_t>(row)] = row;
    for (Eigen::SparseMatrix<double>::InnerIterator place(joined, row); place && place.row() < row; ++place)
      for (auto at = static_cast<std::size_t>(place.row()); seen[at] != row;
           at = static_cast<std::size_t>(parent[at])) {
        seen[at] = row;
        if (parent[at] == none) parent[at] = row;
        if (++entries > most) return false;
      }
  }
  return true;
}

template <class Matrix>
std::shared_ptr<const StageMatrix> if_regular(std::shared_ptr<Matrix> matrix, const Model& model,
                                              const SiteBlocks& blocks) {
  return matrix->factorise(model, blocks) ? std::move(matrix) : nullptr;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> sparse_order(const Model& model, const SiteBlocks& blocks) {
  constexpr std::size_t few = 200'000;
  constexpr std::size_t entries_of_site = 20;
  constexpr std::size_t few_entries = 4'000'000;
  const std::size_t count = model.count();
  const Eigen::SparseMatrix<double> joined = joined_sites(model, blocks);
  // The search for an order takes long where many sites are joined in many ways, which have none that serves.
  if (count > few && static_cast<std::size_t>(joined.nonZeros()) > 5 * count) return std::nullopt;
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(joined, order);
  const Eigen::SparseMatrix<double> ordered = order.inverse() * joined * order;
  if (!stays_sparse(ordered, std::max(entries_of_site * count, few_entries / (blocks.size * blocks.size))))
    return std::nullopt;
  std::vector<std::uint32_t> place(count);
  for (std::size_t k = 0; k < count; ++k)
    place[static_cast<std::size_t>(order.indices()[linear::index(k)])] = static_cast<std::uint32_t>(k);
  return place;
}

std::shared_ptr<const StageMatrix> sparse_factors(const Model& model, const SiteBlocks& blocks,
                                                  const std::vector<std::uint32_t>& place) {
  return if_regular(std::make_shared<Factors>(blocks.size, place), model, blocks);
}

std::shared_ptr<const StageMatrix> iteration(const Model& model, const SiteBlocks& blocks) {
  return if_regular(std::make_shared<Iteration>(), model, blocks);
}

}  // namespace herglotz::families
