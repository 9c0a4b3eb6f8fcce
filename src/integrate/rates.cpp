#include "rates.hpp"

#include <algorithm>
#include <stdexcept>

namespace herglotz::integrate {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// Whether some pivot of an elimination is round-off beside its column.
bool is_singular(const Eigen::PartialPivLU<Eigen::MatrixXd>& lu, const Eigen::MatrixXd& matrix) {
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs().array();
  // Columns of light and heavy bodies differ in size; each pivot is measured by its own.
  return !(pivots > 1e-14 * matrix.cwiseAbs().colwise().maxCoeff().transpose().array()).all();
}

}  // namespace

Rates::Rates(const Dynamics& dynamics, std::span<const double> parameters)
    : dynamics_(&dynamics), parameters_(parameters), rates_(dynamics.n + dynamics.r + 1 + dynamics.m) {
  if (!dynamics.flow && !dynamics.mass)
    throw std::invalid_argument("the motion needs a flow kernel or a mass kernel; the dynamics has neither");
  std::size_t outputs = 0;
  std::size_t work = 0;
  for (const auto* kernel : {&dynamics.flow, &dynamics.flow_jacobian, &dynamics.mass, &dynamics.mass_jacobian}) {
    if (!*kernel) continue;
    outputs = std::max(outputs, kernel->outputs());
    work = std::max(work, kernel->work_size());
  }
  out_.resize(outputs);
  work_.resize(work);
  with_rates_.resize(dynamics.variables() + dynamics.r + dynamics.m);
  if (dynamics.flow) return;
  const Eigen::Index size = index(dynamics.r + dynamics.m);
  K_.resize(size, size);
  right_.resize(size);
}

void Rates::require_jacobian() const {
  if (dynamics_->flow ? bool(dynamics_->flow_jacobian) : bool(dynamics_->mass_jacobian)) return;
  throw std::invalid_argument("implicit adaptive methods need the Jacobian kernel of the flow; the dynamics has none");
}

bool Rates::operator()(const double* v) {
  singular_ = false;
  if (!dynamics_->flow) return solve(v);
  dynamics_->flow(v, parameters_.data(), out_.data(), work_.data());
  std::copy_n(out_.begin(), rates_.size(), rates_.begin());
  return true;
}

bool Rates::solve(const double* v) {
  const std::size_t n = dynamics_->n;
  const std::size_t rank = dynamics_->r;
  const Eigen::Index r = index(rank);
  const Eigen::Index m = index(dynamics_->m);
  dynamics_->mass(v, parameters_.data(), out_.data(), work_.data());
  std::copy_n(out_.begin(), n, rates_.begin());
  rates_[n + rank] = out_[n];
  if (r == 0) return true;
  const double* at = out_.data() + n + 1;
  const auto block = [&at](Eigen::Index rows, Eigen::Index cols) {
    const Eigen::Map<const RowMajor> matrix(at, rows, cols);
    at += rows * cols;
    return matrix;
  };
  K_.setZero();
  K_.topLeftCorner(r, r) = block(r, r);
  right_.head(r) = block(r, 1);
  K_.topRightCorner(r, m) = -block(m, r).transpose();
  K_.bottomLeftCorner(m, r) = block(m, r);
  right_.tail(m) = -block(m, 1);
  if (!K_.allFinite() || !right_.allFinite()) return false;
  lu_.compute(K_);
  singular_ = is_singular(lu_, K_);
  if (singular_) return false;
  right_ = lu_.solve(right_).eval();
  std::copy_n(right_.data(), rank, rates_.begin() + static_cast<std::ptrdiff_t>(n));
  std::copy_n(right_.data() + rank, dynamics_->m, rates_.begin() + static_cast<std::ptrdiff_t>(n + rank) + 1);
  return true;
}

bool Rates::jacobian(const double* v, Eigen::MatrixXd& matrix) {
  const std::size_t n = dynamics_->n;
  const std::size_t rank = dynamics_->r;
  const std::size_t variables = dynamics_->variables();
  const bool by_mass = !dynamics_->flow;
  std::copy_n(v, variables, with_rates_.begin());
  if (by_mass) {
    if (!(*this)(v)) return false;
    std::copy_n(rates_.begin() + static_cast<std::ptrdiff_t>(n), rank,
                with_rates_.begin() + static_cast<std::ptrdiff_t>(variables));
    std::copy_n(ell(), dynamics_->m, with_rates_.begin() + static_cast<std::ptrdiff_t>(variables + rank));
  }
  const kernel::Kernel& kernel = by_mass ? dynamics_->mass_jacobian : dynamics_->flow_jacobian;
  const kernel::Pattern& pattern = by_mass ? dynamics_->mass_pattern : dynamics_->flow_pattern;
  kernel(with_rates_.data(), parameters_.data(), out_.data(), work_.data());
  for (std::size_t k = 0; k < kernel.outputs(); ++k) matrix(index(pattern.row[k]), index(pattern.col[k])) += out_[k];
  const Eigen::Index r = index(rank);
  const Eigen::Index m = index(dynamics_->m);
  if (!by_mass || r == 0) return true;
  Eigen::MatrixXd rows(r + m, matrix.cols());
  rows << matrix.middleRows(index(n), r), matrix.bottomRows(m);
  rows = lu_.solve(rows).eval();
  matrix.middleRows(index(n), r) = rows.topRows(r);
  matrix.bottomRows(m) = rows.bottomRows(m);
  return true;
}

}  // namespace herglotz::integrate
