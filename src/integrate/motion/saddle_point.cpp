#include "motion/saddle_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/error.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"
#include "herglotz/kernel/saddle_units.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/full_lu.hpp"
#include "herglotz/linear/partial_lu.hpp"

namespace herglotz::integrate {
namespace {

using linear::index;

constexpr int most_iterations = 50;
constexpr const char* not_finite = "the momenta or the constraints are not finite";
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double singular = 1e-14;
/// Reciprocal condition of W below which C is not computed from W.
constexpr double least_metric = 1e-10;
/// Dependence of constraints above which it explains why Newton's method failed.
constexpr double suspicious = 1e8;
/// Size below which updates that stop falling count as round-off, and above which they count as divergence.
constexpr double round_off = 1e-11;
/// Size of an update after which only one more update can help.
constexpr double at_round_off = 64 * epsilon;
/// Ratio of successive updates above which small updates have reached round-off.
constexpr double stagnation = 0.5;
/// Ratio of successive updates up to which a factorisation is kept.
constexpr double good_contraction = 0.05;
/// Number of updates after which only states that are zero up to rounding have not converged.
constexpr int usual_iterations = 5;

constexpr double infinite = std::numeric_limits<double>::infinity();
/// Share of the largest coefficient of a constraint that stands for those that vanish up to rounding.
constexpr double rounded_coefficient = 1e-5;

double largest_of(const double* entries, std::size_t count) {
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(entries[i]));
  return largest;
}

/// Returns a distance relative to the size of what it belongs to. Distances of the order of 1e-15 are the rounding of
/// numbers such as cos(pi/2), whatever that size: the only distances that depend on units, beside those from 0.
double relative_to(double distance, double size) {
  constexpr double noise = 1e5;  // 1e-15 becomes 1e-10
  if (!(size > 0)) return distance;
  return std::min(distance / size, noise * distance / std::max(1.0, size));
}

bool is_singular(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXd size = matrix.cwiseAbs().rowwise().maxCoeff();
  if (size.size() == 0) return false;
  if (size.minCoeff() == 0) return true;
  const Eigen::MatrixXd scaled = size.cwiseInverse().asDiagonal() * matrix;
  return linear::FullLu(scaled).reciprocal_condition() < singular;
}

/// Returns a lower bound of the largest of r velocities whose momenta W w are p.
double free_speed(const Eigen::MatrixXd& K, std::size_t r, const double* p) {
  double speed = 0;
  for (std::size_t a = 0; a < r; ++a) {
    const double largest = K.row(index(a)).head(index(r)).cwiseAbs().maxCoeff();
    if (largest > 0) speed = std::max(speed, std::abs(p[a]) / largest);
  }
  return speed;
}

}  // namespace

SaddlePoint::SaddlePoint(const Dynamics& dynamics, std::span<const double> parameters)
    : dynamics_(&dynamics), parameters_(parameters) {
  if (!dynamics.stage || !dynamics.stage_jacobian)
    throw Refused("momenta and constraints need the stage kernel and its Jacobian", "give a dynamics that has them");
  if (dynamics.positions > 0 && !dynamics.position)
    throw Refused("velocity-free constraints need the position kernel", "give a dynamics that has it");
  const Eigen::Index r = index(dynamics.r);
  const Eigen::Index m = index(dynamics.m);
  v_.resize(dynamics.variables());
  out_.resize(dynamics.stage.outputs());
  jacobian_.resize(dynamics.stage_jacobian.outputs());
  phi_.resize(dynamics.positions);
  work_.resize(std::max({dynamics.stage.work_size(), dynamics.stage_jacobian.work_size(),
                         dynamics.position ? dynamics.position.work_size() : 0}));
  impulse_.resize(dynamics.m);
  K_.resize(r + m, r + m);
  x_by_w_.resize(index(dynamics.n), r);
  forces_.resize(r, m);
  right_.resize(r + m);
  update_.resize(r + m);
  displacement_.resize(index(dynamics.n));
  impulse_momentum_.resize(r);
}

void SaddlePoint::load(double t, std::span<const double> state) {
  const std::size_t base = dynamics_->n + dynamics_->r + 1;
  std::copy_n(state.begin(), base, v_.begin());
  v_[base] = t;
  std::fill(v_.begin() + static_cast<std::ptrdiff_t>(base) + 1, v_.end(), 0.0);
  if (dynamics_->differential())
    std::copy_n(state.begin() + static_cast<std::ptrdiff_t>(base), dynamics_->m,
                v_.begin() + static_cast<std::ptrdiff_t>(base) + 1);
}

bool SaddlePoint::evaluate() {
  dynamics_->stage(v_.data(), parameters_.data(), out_.data(), work_.data());
  return std::all_of(out_.begin(), out_.end(), [](double value) { return std::isfinite(value); });
}

bool SaddlePoint::momentum(double* p) {
  const bool finite = evaluate();
  std::copy_n(out_.begin() + static_cast<std::ptrdiff_t>(dynamics_->n), dynamics_->r, p);
  return finite;
}

void SaddlePoint::assemble() {
  const std::size_t n = dynamics_->n;
  const std::size_t r = dynamics_->r;
  const std::size_t multipliers = n + r + 1;  // first column of l
  dynamics_->stage_jacobian(v_.data(), parameters_.data(), jacobian_.data(), work_.data());
  K_.setZero();
  x_by_w_.setZero();
  forces_.setZero();
  const bool differential = dynamics_->differential();
  for (std::size_t e = 0; e < jacobian_.size(); ++e) {
    const std::size_t row = dynamics_->stage_pattern.row[e];
    const std::size_t col = dynamics_->stage_pattern.col[e];
    const double value = jacobian_[e];
    if (col >= n && col < n + r) {
      if (row < n) x_by_w_(index(row), index(col - n)) += value;
      if (row >= n && row < n + r) K_(index(row - n), index(col - n)) += value;
      if (row >= n + 2 * r + 2) K_(index(row - n - r - 2), index(col - n)) += value;
    } else if (col >= multipliers) {
      if (differential && row >= n && row < n + r) forces_(index(row - n), index(col - multipliers)) -= value;
      if (!differential && row >= n + r && row < n + 2 * r)
        forces_(index(row - n - r), index(col - multipliers)) += value;
    }
  }
  K_.topRightCorner(index(r), index(dynamics_->m)) = -forces_;
}

Status SaddlePoint::factorise() {
  assemble();
  if (dynamics_->forces_use_velocity && !dynamics_->differential()) bend();
  if (!K_.allFinite()) {
    reason_ = not_finite;
    return Status::not_finite;
  }
  elimination_.compute(K_);
  moved_ = 0;
  return Status::success;
}

/// Puts W - d(Phi_y^T k)/dw in place of W, since the impulse turns with the velocity.
void SaddlePoint::bend() {
  if (std::all_of(impulse_.begin(), impulse_.end(), [](double k) { return k == 0; })) return;
  const std::size_t n = dynamics_->n;
  const std::size_t r = dynamics_->r;
  const std::vector<double> free = jacobian_;
  const auto l = v_.end() - static_cast<std::ptrdiff_t>(dynamics_->m);
  std::copy(impulse_.begin(), impulse_.end(), l);
  dynamics_->stage_jacobian(v_.data(), parameters_.data(), jacobian_.data(), work_.data());
  std::fill(l, v_.end(), 0.0);
  for (std::size_t e = 0; e < jacobian_.size(); ++e) {
    const std::size_t row = dynamics_->stage_pattern.row[e];
    const std::size_t col = dynamics_->stage_pattern.col[e];
    if (row >= n + r && row < n + 2 * r && col >= n && col < n + r)
      K_(index(row - n - r), index(col - n)) -= jacobian_[e] - free[e];
  }
}

double SaddlePoint::position_defect() {
  if (dynamics_->positions == 0) return 0;
  dynamics_->position(v_.data(), parameters_.data(), phi_.data(), work_.data());
  double largest = 0;
  for (const double value : phi_) largest = std::isnan(value) ? value : std::max(largest, std::abs(value));
  return largest;
}

double SaddlePoint::defect() {
  const double largest = std::max(distance_from_positions(), distance_from_velocities());
  return std::isnan(largest) ? std::numeric_limits<double>::infinity() : largest;
}

double SaddlePoint::distance_from_positions() {
  if (dynamics_->positions == 0) return 0;
  if (const double defect = position_defect(); !(defect > 0)) return defect == 0 ? 0 : infinite;
  solve_for_displacement();
  const double size = largest_of(v_.data(), dynamics_->n);
  // If the constraints are singular, only the value itself is known.
  if (!displacement_.allFinite()) return position_defect() / std::max(1.0, size);
  return relative_to(displacement_.cwiseAbs().maxCoeff(), size);
}

double SaddlePoint::distance_from_velocities() {
  const std::size_t n = dynamics_->n;
  const std::size_t r = dynamics_->r;
  evaluate();
  double largest = 0;
  for (std::size_t A = 0; A < dynamics_->m; ++A) {
    double terms = 0;
    double slope = 0;
    double speed = 0;
    for (std::size_t a = 0; a < r; ++a) {
      const double factor = std::abs(K_(index(r + A), index(a)));
      terms += factor * std::abs(v_[n + a]);
      slope = std::max(slope, factor);
      if (factor > 0) speed = std::max(speed, std::abs(v_[n + a]));
    }
    const double value = std::abs(out_[StageOutputs{n, r}.Phi(A)]);
    if (std::isnan(value)) return infinite;
    // A coefficient that is zero up to rounding says nothing about the size of the terms.
    const double size = std::max(terms / slope, rounded_coefficient * speed);
    largest = std::max(largest, slope > 0 ? relative_to(value / slope, size) : value);
  }
  return largest;
}

void SaddlePoint::solve_for_displacement() {
  const std::size_t r = dynamics_->r;
  right_.setZero();
  for (std::size_t k = 0; k < dynamics_->positions; ++k) right_(index(r + k)) = -phi_[k];
  elimination_.solve(right_, update_);
  displacement_.noalias() = x_by_w_ * update_.head(index(r));
}

Status SaddlePoint::project_positions() {
  const std::size_t n = dynamics_->n;
  const std::size_t r = dynamics_->r;
  if (dynamics_->positions == 0) return Status::success;
  double previous = std::numeric_limits<double>::infinity();
  const double before = largest_of(v_.data(), n);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!std::isfinite(position_defect())) {
      reason_ = not_finite;
      return Status::not_finite;
    }
    solve_for_displacement();
    ++iterations_;
    if (!displacement_.allFinite()) return explain();
    // A position that becomes 0 is known to the rounding of what it was before.
    if (iteration >= usual_iterations && displacement_.cwiseAbs().maxCoeff() <= 8 * epsilon * before)
      return Status::success;
    const double relative = displacement_.cwiseAbs().maxCoeff() / std::max(largest_of(v_.data(), n), 1e-300);
    if (relative >= previous) {
      if (previous <= round_off) return Status::success;
      if (iteration > 10) return explain();
    }
    for (std::size_t i = 0; i < n; ++i) v_[i] += displacement_(index(i));
    moved_ += relative;
    if (dynamics_->position_uses_action) {
      evaluate();
      for (std::size_t a = 0; a < r; ++a) v_[n + r] += out_[n + a] * update_(index(a));
    }
    if (relative <= 2 * epsilon) return Status::success;
    if (relative > good_contraction * previous || iteration == 0) {
      // The first displacement may be large: the blocks have moved with it.
      if (relative > 1e-3 && factorise() != Status::success) return Status::not_finite;
    }
    previous = relative;
  }
  return explain();
}

Status SaddlePoint::approach() {
  const std::size_t n = dynamics_->n;
  const std::size_t r = dynamics_->r;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!evaluate()) break;
    right_.setZero();
    for (std::size_t A = 0; A < dynamics_->m; ++A) right_(index(r + A)) = -out_[StageOutputs{n, r}.Phi(A)];
    elimination_.solve(right_, update_);
    if (!update_.allFinite()) break;
    double size = 0;
    for (std::size_t a = 0; a < r; ++a) size = std::max(size, std::abs(v_[n + a]));
    for (std::size_t a = 0; a < r; ++a) v_[n + a] += update_(index(a));
    if (update_.head(index(r)).cwiseAbs().maxCoeff() <= round_off * size) return Status::success;
    if (factorise() != Status::success) break;
  }
  return explain();
}

Status SaddlePoint::project_velocities(const double* p) {
  return solve_velocities(p, false);
}

Status SaddlePoint::recover(const double* p) {
  return solve_velocities(p, true);
}

Status SaddlePoint::solve_velocities(const double* p, bool moves_multipliers) {
  const std::size_t n = dynamics_->n;
  const std::size_t r = dynamics_->r;
  const std::size_t m = dynamics_->m;
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  impulse_momentum_.setZero();
  double free = 0;
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!evaluate()) {
      reason_ = not_finite;
      return Status::not_finite;
    }
    for (std::size_t a = 0; a < r; ++a) right_(index(a)) = p[a] + impulse_momentum_(index(a)) - out_[n + a];
    for (std::size_t A = 0; A < m; ++A) right_(index(r + A)) = -out_[StageOutputs{n, r}.Phi(A)];
    elimination_.solve(right_, update_);
    ++iterations_;
    if (!update_.allFinite()) return explain();
    double size = 0;
    for (std::size_t a = 0; a < r; ++a) size = std::max(size, std::abs(v_[n + a]));
    if (iteration == 0) free = std::max(size, free_speed(K_, r, p));
    // Velocities that constraints hold at 0 are known to the rounding of those without the constraints.
    if (iteration >= usual_iterations && update_.head(index(r)).cwiseAbs().maxCoeff() <= 8 * epsilon * free)
      return Status::success;
    const double relative = update_.head(index(r)).cwiseAbs().maxCoeff() / std::max(size, 1e-300);
    if (previous <= round_off && relative >= stagnation * previous && relative > 2 * epsilon) return Status::success;
    moved_ += relative;
    for (std::size_t a = 0; a < r; ++a) v_[n + a] += update_(index(a));
    for (std::size_t A = 0; A < m; ++A) {
      if (moves_multipliers) v_[n + r + 2 + A] += update_(index(r + A));
      impulse_[A] += update_(index(r + A));
    }
    if (!moves_multipliers) {
      // The impulse acts along Phi_y at the end: with an earlier direction the methods would lose an order.
      if (dynamics_->forces_use_velocity) assemble();
      impulse_momentum_.noalias() = forces_ * Eigen::Map<const Eigen::VectorXd>(impulse_.data(), index(m));
    }
    // The remaining error is this update times the change of the blocks since they were computed.
    const bool last = !dynamics_->forces_use_velocity && relative * moved_ <= 0.25 * epsilon;
    if (relative <= 2 * epsilon || previous <= at_round_off || last || update_.isZero(0)) return Status::success;
    if (relative > good_contraction * previous && relative > 8 * epsilon && factorise() != Status::success)
      return Status::not_finite;
    previous = relative;
  }
  return explain();
}

void SaddlePoint::inverse_diagonal(std::vector<double>& diagonal) {
  diagonal.resize(dynamics_->m);
  for (std::size_t A = 0; A < dynamics_->m; ++A) {
    right_.setZero();
    right_(index(dynamics_->r + A)) = 1;
    elimination_.solve(right_, update_);
    diagonal[A] = update_(index(dynamics_->r + A));
  }
}

double SaddlePoint::dependence() {
  const Eigen::Index r = index(dynamics_->r);
  const Eigen::Index m = index(dynamics_->m);
  const Eigen::MatrixXd W = K_.topLeftCorner(r, r);
  const linear::FullLu metric(W);
  if (!(metric.reciprocal_condition() > least_metric)) return 0;
  const Eigen::MatrixXd C = K_.bottomLeftCorner(m, r) * metric.solve(forces_);
  std::vector<double> inverse;
  inverse_diagonal(inverse);
  double largest = 0;
  for (Eigen::Index A = 0; A < m; ++A) {
    const double product = std::abs(C(A, A) * inverse[static_cast<std::size_t>(A)]);
    largest = std::isfinite(product) ? std::max(largest, product) : std::numeric_limits<double>::infinity();
  }
  return largest;
}

Stop dependent_constraints(double dependence) {
  return {Status::singular_constraints,
          fmt::format("singular constraint matrix C = Phi_w W^-1 Phi_y^T: its constraints become dependent there (the "
                      "angle between them has fallen to {:.1e})",
                      1 / std::sqrt(dependence))};
}

Stop SaddlePoint::singularity() {
  assemble();
  const Eigen::Index r = index(dynamics_->r);
  const Eigen::Index m = index(dynamics_->m);
  if (!K_.allFinite()) return {};
  Eigen::MatrixXd scaled = K_;
  kernel::take_out_units(dynamics_->r, dynamics_->m,
                         [&](std::size_t i, std::size_t j) -> double& { return scaled(index(i), index(j)); });
  if (!is_singular(scaled)) {
    if (m < 2) return {};
    elimination_.compute(K_);
    const double found = dependence();
    return found > suspicious ? dependent_constraints(found) : Stop{};
  }
  const Eigen::MatrixXd W = K_.topLeftCorner(r, r);
  if (m == 0 || is_singular(W)) return {Status::singular_hessian, "the velocity Hessian W is singular"};
  const Eigen::MatrixXd C = K_.bottomLeftCorner(m, r) * linear::PartialLu(W).solve(forces_);
  return {Status::singular_constraints, fmt::format("singular constraint matrix C = Phi_w W^-1 Phi_y^T (rank {} of {})",
                                                    C.isZero(0) ? 0 : linear::FullLu(C, 1e-12).rank(), m)};
}

Status SaddlePoint::explain() {
  const Stop stop = singularity();
  if (stop.status != Status::success) {
    reason_ = stop.reason;
    return stop.status;
  }
  reason_ = dynamics_->m == 0 ? "Newton's method did not recover w from the momenta"
                              : "Newton's method did not reach the constraints";
  return Status::not_converged;
}

void impulse_work(const Dynamics& dynamics, std::span<const double> parameters, const SaddlePoint& saddle,
                  std::span<double> work) {
  std::vector<double> v(saddle.v(), saddle.v() + dynamics.variables());
  std::vector<double> out(dynamics.balance.outputs());
  std::vector<double> scratch(dynamics.balance.work_size());
  const auto l = v.end() - static_cast<std::ptrdiff_t>(dynamics.m);
  std::copy_n(saddle.impulse(), dynamics.m, l);
  dynamics.balance(v.data(), parameters.data(), out.data(), scratch.data());
  for (std::size_t k = 0; k < work.size(); ++k) work[k] = out[BalanceOutputs::source(k)];
  std::fill(l, v.end(), 0.0);
  dynamics.balance(v.data(), parameters.data(), out.data(), scratch.data());
  for (std::size_t k = 0; k < work.size(); ++k) work[k] -= out[BalanceOutputs::source(k)];
}

Stop singularity(const Dynamics& dynamics, std::span<const double> parameters, double t,
                 std::span<const double> state) {
  if (dynamics.r == 0 || !dynamics.stage || !dynamics.stage_jacobian) return {};
  if (!std::all_of(state.begin(), state.end(), [](double value) { return std::isfinite(value); })) return {};
  SaddlePoint saddle(dynamics, parameters);
  saddle.load(t, state);
  return saddle.singularity();
}

Projection project(const Dynamics& dynamics, std::span<const double> parameters, double t,
                   std::span<const double> state) {
  Projection result;
  result.state.assign(state.begin(), state.end());
  if (dynamics.m == 0) return result;
  SaddlePoint saddle(dynamics, parameters);
  saddle.load(t, state);
  std::vector<double> p(dynamics.r);
  result.status = saddle.factorise();
  if (result.status == Status::success) {
    result.defect = saddle.defect();
    result.status = saddle.project_positions();
  }
  // Velocities move along the slopes of the constraints at the positions that were reached.
  if (result.status == Status::success && result.defect > at_round_off) result.status = saddle.factorise();
  if (result.status == Status::success && !saddle.momentum(p.data())) result.status = Status::not_finite;
  // Far from a curved constraint, Newton's method for the nearest point must start at a point on the constraint.
  if (result.status == Status::success && dynamics.forces_use_velocity) result.status = saddle.approach();
  if (result.status == Status::success) result.status = saddle.project_velocities(p.data());
  if (result.status != Status::success) {
    result.reason = saddle.reason().empty() ? Reason("the momentum p(x, w, z, t) is not finite") : saddle.reason();
    return result;
  }
  std::copy_n(saddle.v(), dynamics.n + dynamics.r + 1, result.state.begin());
  return result;
}

}  // namespace herglotz::integrate
