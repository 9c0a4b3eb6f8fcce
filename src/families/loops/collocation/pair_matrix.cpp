#include "loops/collocation/pair_matrix.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <algorithm>
#include <cmath>
#include <utility>

#include "herglotz/linear/eigen_views.hpp"
#include "loops/links/link_loop.hpp"

namespace herglotz::families {
namespace {

class Preconditioned;

}  // namespace
}  // namespace herglotz::families

template <>
struct Eigen::internal::traits<herglotz::families::Preconditioned> : traits<SparseMatrix<double>> {};

namespace herglotz::families {
namespace {

/// The system (1 + B A^-1) y = b, whose solution gives that of (A + B) x = b as x = A^-1 y.
class Preconditioned : public Eigen::EigenBase<Preconditioned> {
 public:
  using Scalar = double;
  using RealScalar = double;
  using StorageIndex = int;
  static constexpr int ColsAtCompileTime = Eigen::Dynamic;
  static constexpr int MaxColsAtCompileTime = Eigen::Dynamic;
  static constexpr bool IsRowMajor = false;

  Preconditioned(const StageMatrix& A, const PairPart& B, Eigen::Index size) : A_(&A), B_(&B), size_(size) {}

  [[nodiscard]] Eigen::Index rows() const { return size_; }
  [[nodiscard]] Eigen::Index cols() const { return size_; }
  template <class Right>
  Eigen::Product<Preconditioned, Right, Eigen::AliasFreeProduct> operator*(const Eigen::MatrixBase<Right>& y) const {
    return {*this, y.derived()};
  }

  /// Returns y + B A^-1 y, or a vector that is not finite.
  [[nodiscard]] Eigen::VectorXd times(const Eigen::VectorXd& y) const {
    std::vector<double> V = linear::entries(y);
    if (!A_->solve(V)) return Eigen::VectorXd::Constant(y.size(), std::nan(""));
    const std::size_t n = B_->families;
    const std::size_t sites = B_->base.front().size() - padding;
    const std::size_t size = V.size() / sites;
    const std::size_t stages = size / n;
    std::vector<std::vector<double>> way(n, std::vector<double>(sites + padding));
    std::vector<std::vector<double>> slope(n, std::vector<double>(sites + padding));
    std::vector<const double*> moving;
    std::vector<double*> found;
    for (const auto& q : B_->base) moving.push_back(q.data());
    for (const auto& w : way) moving.push_back(w.data());
    for (auto& of : slope) found.push_back(of.data());
    Eigen::VectorXd result = y;
    for (std::size_t k = 0; k < stages; ++k) {
      for (std::size_t f = 0; f < n; ++f)
        for (std::size_t site = 0; site < sites; ++site) way[f][site] = V[site * size + k * n + f];
      B_->slopes->find(moving.data(), found.data(), B_->t);
      for (std::size_t j = 0; j < stages; ++j)
        for (std::size_t f = 0; f < n; ++f)
          for (std::size_t site = 0; site < sites; ++site)
            result[linear::index(site * size + j * n + f)] += B_->factors[j * stages + k] * slope[f][site];
    }
    return result;
  }

 private:
  const StageMatrix* A_;
  const PairPart* B_;
  Eigen::Index size_;
};

}  // namespace
}  // namespace herglotz::families

template <class Right>
struct Eigen::internal::generic_product_impl<herglotz::families::Preconditioned, Right, Eigen::SparseShape,
                                             Eigen::DenseShape, Eigen::GemvProduct>
    : generic_product_impl_base<herglotz::families::Preconditioned, Right,
                                generic_product_impl<herglotz::families::Preconditioned, Right>> {
  using Scalar = double;

  template <class To>
  static void scaleAndAddTo(To& to, const herglotz::families::Preconditioned& system, const Right& y, double factor) {
    to += factor * system.times(y);
  }
};

namespace herglotz::families {
namespace {

class WithPairs final : public StageMatrix {
 public:
  WithPairs(std::shared_ptr<const StageMatrix> A, PairPart B) : A_(std::move(A)), B_(std::move(B)) {}

  bool solve(std::vector<double>& b) const override {
    const Eigen::Map<const Eigen::VectorXd> right(b.data(), linear::index(b.size()));
    const Preconditioned system(*A_, B_, right.size());
    Eigen::BiCGSTAB<Preconditioned, Eigen::IdentityPreconditioner> solver;
    solver.setTolerance(tolerance);
    solver.setMaxIterations(most);
    solver.compute(system);
    const Eigen::VectorXd y = solver.solve(right);
    if (solver.info() != Eigen::Success || !y.allFinite()) return false;
    b = linear::entries(y);
    return A_->solve(b);
  }

 private:
  /// Updates of Newton's iteration, which goes on to round-off, are known to this share.
  static constexpr double tolerance = 1e-4;
  static constexpr Eigen::Index most = 500;

  std::shared_ptr<const StageMatrix> A_;
  PairPart B_;
};

}  // namespace

std::shared_ptr<const StageMatrix> with_pairs(std::shared_ptr<const StageMatrix> A, PairPart B) {
  return std::make_shared<WithPairs>(std::move(A), std::move(B));
}

}  // namespace herglotz::families
