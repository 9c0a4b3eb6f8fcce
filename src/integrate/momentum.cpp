#include "momentum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace herglotz::integrate {
namespace {

constexpr int most_iterations = 50;
constexpr double singular = 1e-14;

}  // namespace

MomentumMap::MomentumMap(const Dynamics& dynamics, std::span<const double> parameters)
    : dynamics_(&dynamics),
      parameters_(parameters),
      u_(dynamics.variables()),
      out_(dynamics.stage.outputs()),
      jacobian_(dynamics.stage_jacobian.outputs()),
      work_(std::max(dynamics.stage.work_size(), dynamics.stage_jacobian.work_size())),
      W_(static_cast<Eigen::Index>(dynamics.r), static_cast<Eigen::Index>(dynamics.r)),
      defect_(static_cast<Eigen::Index>(dynamics.r)),
      lu_(static_cast<Eigen::Index>(dynamics.r)) {}

bool MomentumMap::momentum(double t, std::span<const double> state, double* p) {
  std::copy(state.begin(), state.end(), u_.begin());
  u_[state.size()] = t;
  dynamics_->stage(u_.data(), parameters_.data(), out_.data(), work_.data());
  std::copy_n(out_.begin() + static_cast<std::ptrdiff_t>(dynamics_->n), dynamics_->r, p);
  return std::all_of(p, p + dynamics_->r, [](double v) { return std::isfinite(v); });
}

void MomentumMap::load_hessian(double t, std::span<const double> state) {
  const std::size_t n = dynamics_->n;
  const std::size_t r = dynamics_->r;
  std::copy(state.begin(), state.end(), u_.begin());
  u_[state.size()] = t;
  dynamics_->stage_jacobian(u_.data(), parameters_.data(), jacobian_.data(), work_.data());
  W_.setZero();
  for (std::size_t k = 0; k < jacobian_.size(); ++k) {
    const std::size_t row = dynamics_->stage_pattern.row[k];
    const std::size_t col = dynamics_->stage_pattern.col[k];
    if (row < n || row >= n + r || col < n || col >= n + r) continue;
    W_(static_cast<Eigen::Index>(row - n), static_cast<Eigen::Index>(col - n)) += jacobian_[k];
  }
}

bool MomentumMap::is_singular(double t, std::span<const double> state) {
  if (dynamics_->r == 0) return false;
  load_hessian(t, state);
  if (!W_.allFinite()) return false;
  const Eigen::VectorXd size = W_.cwiseAbs().rowwise().maxCoeff();
  if (size.minCoeff() == 0) return true;
  const Eigen::MatrixXd scaled = size.cwiseInverse().asDiagonal() * W_;
  return Eigen::FullPivLU<Eigen::MatrixXd>(scaled).rcond() < singular;
}

Status MomentumMap::invert(double t, std::span<double> state, const double* p) {
  const std::size_t n = dynamics_->n;
  const auto r = static_cast<Eigen::Index>(dynamics_->r);
  if (r == 0) return Status::success;
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!momentum(t, state, defect_.data())) {
      reason_ = "the momentum p(x, w, z, t) is not finite";
      return Status::not_finite;
    }
    defect_ -= Eigen::Map<const Eigen::VectorXd>(p, r);
    load_hessian(t, state);
    lu_.compute(W_);
    defect_ = lu_.solve(defect_);
    ++iterations_;
    if (!defect_.allFinite()) break;
    Eigen::Map<Eigen::VectorXd> w(state.data() + n, r);
    const double update = defect_.cwiseAbs().maxCoeff() / std::max(w.cwiseAbs().maxCoeff(), 1e-300);
    // Once quadratic convergence has reached round-off the updates stop falling.
    if (update >= previous && previous < 1e-12) return Status::success;
    w -= defect_;
    if (defect_.isZero(0) || update < 2 * std::numeric_limits<double>::epsilon()) return Status::success;
    previous = update;
  }
  if (is_singular(t, state)) {
    reason_ = "the velocity Hessian W is singular";
    return Status::singular_hessian;
  }
  reason_ = fmt::format("Newton's method did not recover w from the momenta (last relative update {:.2g})", previous);
  return Status::not_converged;
}

}  // namespace herglotz::integrate
