#include "right_side.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "momentum.hpp"

namespace herglotz::integrate {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

bool all_finite(const double* values, std::size_t count) {
  return std::all_of(values, values + count, [](double v) { return std::isfinite(v); });
}

}  // namespace

RightSide::RightSide(const Dynamics& dynamics, std::span<const double> parameters)
    : dynamics_(&dynamics), parameters_(parameters), dimension_(dynamics.dimension()) {
  if (!dynamics.flow && !dynamics.mass) {
    throw std::invalid_argument("adaptive methods need a flow kernel or a mass kernel; the dynamics has neither");
  }
  if (!dynamics.balance && !dynamics.stage) {
    throw std::invalid_argument("the integrating factor needs a balance kernel or a stage kernel; there is neither");
  }
  std::size_t outputs = 0;
  std::size_t work = 0;
  for (const auto* kernel : {&dynamics.flow, &dynamics.flow_jacobian, &dynamics.mass, &dynamics.mass_jacobian,
                             &dynamics.stage, &dynamics.balance}) {
    if (!*kernel) continue;
    outputs = std::max(outputs, kernel->outputs());
    work = std::max(work, kernel->work_size());
  }
  u_.resize(dimension_ + 1 + dynamics.r);
  shifted_.resize(dimension_ + 1);
  out_.resize(outputs);
  work_.resize(work);
  balance_.resize(1 + 3 * dynamics.laws);
  scales_.resize(dynamics.laws);
}

void RightSide::require_jacobian() const {
  if (dynamics_->flow ? bool(dynamics_->flow_jacobian) : bool(dynamics_->mass_jacobian)) return;
  throw std::invalid_argument("implicit adaptive methods need the Jacobian kernel of the flow; the dynamics has none");
}

void RightSide::load(double t, const double* y) {
  std::copy(y, y + dimension_, u_.begin());
  u_[dimension_] = t;
}

void RightSide::balance(const double* u) {
  if (dynamics_->balance) {
    dynamics_->balance(u, parameters_.data(), balance_.data(), work_.data());
    return;
  }
  dynamics_->stage(u, parameters_.data(), out_.data(), work_.data());
  balance_[0] = out_[dynamics_->n + 2 * dynamics_->r + 1];
}

std::vector<double> RightSide::initial(double t0, std::span<const double> state) {
  std::vector<double> y(state.begin(), state.end());
  load(t0, y.data());
  balance(u_.data());
  y.push_back(0);
  for (std::size_t k = 0; k < dynamics_->laws; ++k) y.push_back(balance_[1 + 3 * k]);
  return y;
}

bool RightSide::solve_mass(double* y_dot) {
  const std::size_t n = dynamics_->n;
  const auto r = static_cast<Eigen::Index>(dynamics_->r);
  dynamics_->mass(u_.data(), parameters_.data(), out_.data(), work_.data());
  std::copy(out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(n), y_dot);
  y_dot[dimension_ - 1] = out_[n];
  if (r == 0) return true;
  const Eigen::Map<const RowMajor> W(out_.data() + n + 1, r, r);
  const Eigen::Map<const Eigen::VectorXd> b(out_.data() + n + 1 + r * r, r);
  if (!W.allFinite() || !b.allFinite()) return false;
  lu_.compute(W);
  singular_ = is_singular(lu_, W.cwiseAbs().colwise().maxCoeff().transpose());
  if (singular_) return false;
  Eigen::Map<Eigen::VectorXd>(y_dot + n, r) = lu_.solve(b);
  return true;
}

bool RightSide::motion(const double* y, double* y_dot) {
  singular_ = false;
  if (dynamics_->flow) {
    dynamics_->flow(u_.data(), parameters_.data(), y_dot, work_.data());
  } else if (!solve_mass(y_dot)) {
    return false;
  }
  balance(u_.data());
  y_dot[dimension_] = -balance_[0];
  for (std::size_t k = 0; k < dynamics_->laws; ++k) {
    y_dot[dimension_ + 1 + k] = balance_[0] * y[dimension_ + 1 + k] + balance_[3 + 3 * k];
  }
  return all_finite(y_dot, size());
}

bool RightSide::operator()(double t, const double* y, double* y_dot) {
  load(t, y);
  return motion(y, y_dot) || fail(t, y);
}

bool RightSide::fail(double t, const double* y) {
  const std::span<const double> state(y, dimension_);
  if (!all_finite(y, dimension_)) {
    stop_ = {Status::not_finite, "the state is not finite"};
  } else if (singular_ || hessian_is_singular(*dynamics_, parameters_, t, state)) {
    stop_ = {Status::singular_hessian, "the velocity Hessian W is singular"};
  } else {
    stop_ = {Status::not_finite, "the equations of motion are not finite"};
  }
  return false;
}

bool RightSide::motion_jacobian(Eigen::Map<Eigen::MatrixXd>& matrix) {
  const auto n = static_cast<Eigen::Index>(dynamics_->n);
  const auto r = static_cast<Eigen::Index>(dynamics_->r);
  const auto d = static_cast<Eigen::Index>(dimension_);
  const bool by_mass = !dynamics_->flow;
  if (by_mass) {
    std::vector<double> y_dot(dimension_);
    if (!solve_mass(y_dot.data())) return false;
    std::copy_n(y_dot.begin() + n, r, u_.begin() + d + 1);
  }
  const kernel::Kernel& kernel = by_mass ? dynamics_->mass_jacobian : dynamics_->flow_jacobian;
  const kernel::Pattern& pattern = by_mass ? dynamics_->mass_pattern : dynamics_->flow_pattern;
  kernel(u_.data(), parameters_.data(), out_.data(), work_.data());
  for (std::size_t k = 0; k < kernel.outputs(); ++k) {
    matrix(static_cast<Eigen::Index>(pattern.row[k]), static_cast<Eigen::Index>(pattern.col[k])) += out_[k];
  }
  if (by_mass && r > 0) matrix.block(n, 0, r, d) = lu_.solve(matrix.block(n, 0, r, d)).eval();
  return matrix.allFinite();
}

bool RightSide::jacobian(double t, const double* y, double* columns) {
  const auto d = static_cast<Eigen::Index>(dimension_);
  const auto laws = dynamics_->laws;
  Eigen::Map<Eigen::MatrixXd> matrix(columns, static_cast<Eigen::Index>(size()), static_cast<Eigen::Index>(size()));
  matrix.setZero();
  load(t, y);
  singular_ = false;
  if (!motion_jacobian(matrix)) return fail(t, y);
  balance(u_.data());
  const std::vector<double> here = balance_;
  for (std::size_t k = 0; k < laws; ++k) {
    const auto row = d + 1 + static_cast<Eigen::Index>(k);
    matrix(row, row) = here[0];
  }
  std::copy_n(u_.begin(), dimension_ + 1, shifted_.begin());
  const double sqrt_epsilon = std::sqrt(std::numeric_limits<double>::epsilon());
  for (Eigen::Index j = 0; j < d; ++j) {
    const auto at = static_cast<std::size_t>(j);
    const double shift = sqrt_epsilon * std::max(1.0, std::abs(u_[at]));
    shifted_[at] = u_[at] + shift;
    balance(shifted_.data());
    shifted_[at] = u_[at];
    const double L_zu = (balance_[0] - here[0]) / shift;
    matrix(d, j) = -L_zu;
    for (std::size_t k = 0; k < laws; ++k) {
      matrix(d + 1 + static_cast<Eigen::Index>(k), j) =
          L_zu * y[dimension_ + 1 + k] + (balance_[3 + 3 * k] - here[3 + 3 * k]) / shift;
    }
  }
  return matrix.allFinite() || fail(t, y);
}

std::span<const double> RightSide::law_scales(double t, const double* y) {
  if (dynamics_->laws == 0) return {};
  load(t, y);
  balance(u_.data());
  for (std::size_t k = 0; k < scales_.size(); ++k) scales_[k] = std::abs(balance_[2 + 3 * k]);
  return scales_;
}

bool is_singular(const Eigen::PartialPivLU<Eigen::MatrixXd>& lu, const Eigen::VectorXd& column_sizes) {
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs().array();
  // Columns of light and heavy bodies differ in size; each pivot is measured by its own.
  return !(pivots > 1e-14 * column_sizes.array()).all();
}

}  // namespace herglotz::integrate
