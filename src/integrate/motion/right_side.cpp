#include "motion/right_side.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/error.hpp"
#include "herglotz/integrate/final_set.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"
#include "herglotz/linear/eigen_views.hpp"

namespace herglotz::integrate {
namespace {

using linear::index;

bool all_finite(const double* values, std::size_t count) {
  return std::all_of(values, values + count, [](double v) { return std::isfinite(v); });
}

}  // namespace

RightSide::RightSide(const Dynamics& dynamics, std::span<const double> parameters, const FinalSet* final_set)
    : dynamics_(&dynamics),
      parameters_(parameters),
      final_set_(final_set),
      dimension_(dynamics.dimension()),
      rates_(dynamics, parameters),
      v_(dynamics.variables()),
      balance_(BalanceOutputs::count(dynamics.laws)),
      scales_(dynamics.laws) {
  if (!dynamics.balance && !dynamics.stage)
    throw Refused("the integrating factor needs a balance kernel or a stage kernel", "there is neither");
  if (dynamics.m > 0) {
    saddle_.emplace(dynamics, parameters);
    momentum_.resize(dynamics.r);
  }
  const kernel::Kernel& kernel = dynamics.balance ? dynamics.balance : dynamics.stage;
  out_.resize(kernel.outputs());
  work_.resize(kernel.work_size());
}

void RightSide::load(double t, const double* y) {
  const std::size_t base = dynamics_->n + dynamics_->r + 1;
  std::copy_n(y, base, v_.begin());
  v_[base] = t;
  if (dynamics_->differential()) std::copy_n(y + base, dynamics_->m, v_.data() + base + 1);
}

/// Computes the rates at v, and sets the algebraic multipliers of v from them.
bool RightSide::evaluate_rates() {
  if (!rates_(v_.data())) return false;
  if (!dynamics_->differential()) std::copy_n(rates_.ell(), dynamics_->m, v_.end() - dynamics_->m);
  return true;
}

void RightSide::balance(const double* v) {
  if (dynamics_->balance) {
    dynamics_->balance(v, parameters_.data(), balance_.data(), work_.data());
    return;
  }
  dynamics_->stage(v, parameters_.data(), out_.data(), work_.data());
  balance_[BalanceOutputs::L_z] = out_[StageOutputs{dynamics_->n, dynamics_->r}.L_z()];
}

std::vector<double> RightSide::initial(double t0, std::span<const double> state) {
  std::vector<double> y(size());
  initial(t0, state, y.data());
  return y;
}

void RightSide::initial(double t0, std::span<const double> state, double* y) {
  std::copy(state.begin(), state.end(), y);
  load(t0, y);
  balance(v_.data());
  dissipation_ = balance_[BalanceOutputs::L_z];
  first_inverse_.clear();
  t0_ = t_projected_ = t0;
  small_steps_ = 0;
  y[dimension_] = 0;
  for (std::size_t k = 0; k < dynamics_->laws; ++k) y[dimension_ + 1 + k] = balance_[BalanceOutputs::quantity(k)];
}

bool RightSide::operator()(double t, const double* y, double* y_dot) {
  load(t, y);
  if (!evaluate_rates()) return fail(t, y);
  std::copy_n(rates_.data(), dimension_, y_dot);
  const bool known = dynamics_->flow && dynamics_->flow_has_laws;
  if (!known) balance(v_.data());
  const double L_z = known ? rates_.laws()[0] : balance_[BalanceOutputs::L_z];
  y_dot[dimension_] = -L_z;
  for (std::size_t k = 0; k < dynamics_->laws; ++k)
    y_dot[dimension_ + 1 + k] =
        L_z * y[dimension_ + 1 + k] + (known ? rates_.laws()[1 + k] : balance_[BalanceOutputs::source(k)]);
  return all_finite(y_dot, size()) || fail(t, y);
}

bool RightSide::multipliers(double t, const double* y, std::vector<double>& l) {
  l.resize(dynamics_->m);
  if (dynamics_->m == 0) return true;
  load(t, y);
  if (!dynamics_->differential() && !evaluate_rates()) return fail(t, y);
  std::copy(v_.end() - dynamics_->m, v_.end(), l.begin());
  return all_finite(l.data(), l.size()) || fail(t, y);
}

bool RightSide::project(double t, double* y) {
  if (final_set_ != nullptr) {
    if (move_onto(*final_set_, parameters_, t, {y, dimension_}, 0, dimension_)) return true;
    stop_ = {Status::off_constraints, "the motion left the final constraint set"};
    return false;
  }
  if (!saddle_) return true;
  const std::size_t base = dynamics_->n + dynamics_->r + 1;
  SaddlePoint& saddle = *saddle_;
  saddle.load(t, {y, dimension_});
  Status status = saddle.factorise();
  if (status == Status::success && !independent(t)) return false;
  if (status == Status::success) status = saddle.project_positions();
  if (status == Status::success && !saddle.momentum(momentum_.data())) status = Status::not_finite;
  if (status == Status::success)
    status = dynamics_->differential() ? saddle.recover(momentum_.data()) : saddle.project_velocities(momentum_.data());
  if (status != Status::success) {
    stop_ = {status, saddle.reason().empty() ? Reason("the momentum p(x, w, z, t) is not finite") : saddle.reason()};
    return false;
  }
  std::copy_n(saddle.v(), base, y);
  if (dynamics_->differential()) {
    std::copy_n(saddle.v() + base + 1, dynamics_->m, y + base);
  } else if (dynamics_->laws_use_multipliers) {
    std::vector<double> work(dynamics_->laws);
    impulse_work(*dynamics_, parameters_, saddle, work);
    for (std::size_t k = 0; k < work.size(); ++k) y[dimension_ + 1 + k] += work[k];
  }
  return true;
}

/// Returns whether the constraints are independent at the state of the last factorisation. If not, stop() says so. The
/// motion is lost to round-off before the constraints are dependent to the last digit: the multipliers grow, and the
/// steps shrink with them. If steps have become very small, less dependence suffices as the reason.
bool RightSide::independent(double t) {
  constexpr double small = 1e-6;
  constexpr int in_a_row = 50;
  if (dynamics_->m < 2) return true;
  small_steps_ = std::abs(t - t_projected_) < small * std::abs(t - t0_) ? small_steps_ + 1 : 0;
  t_projected_ = t;
  const bool shrunk = small_steps_ > in_a_row;
  const double grown = shrunk ? 1e4 : 1e6;
  const double dependent = shrunk ? 1e6 : 1e9;
  saddle_->inverse_diagonal(inverse_);
  if (first_inverse_.empty()) {
    first_inverse_ = inverse_;
    first_dependence_ = saddle_->dependence();
    return true;
  }
  bool suspect = false;
  for (std::size_t A = 0; A < inverse_.size(); ++A)
    suspect = suspect || !(std::abs(inverse_[A]) <= grown * std::abs(first_inverse_[A]));
  if (!suspect) return true;
  const double found = saddle_->dependence();
  if (!(found > dependent) || !(found > grown * first_dependence_)) return true;
  stop_ = dependent_constraints(found);
  return false;
}

bool RightSide::fail(double t, const double* y) {
  const std::span<const double> state(y, dimension_);
  if (!all_finite(y, dimension_)) {
    stop_ = {Status::not_finite, "the state is not finite"};
    return false;
  }
  stop_ = singularity(*dynamics_, parameters_, t, state);
  if (stop_.status == Status::success && rates_.singular())
    stop_ = {Status::singular_hessian, "the velocity Hessian W is singular"};
  if (stop_.status == Status::success) stop_ = {Status::not_finite, "the equations of motion are not finite"};
  return false;
}

bool RightSide::jacobian(double t, const double* y, double* columns) {
  const Eigen::Index d = index(dimension_);
  Eigen::Map<Eigen::MatrixXd> matrix(columns, index(size()), index(size()));
  matrix.setZero();
  load(t, y);
  const Eigen::Index all = index(rates_.size());
  Eigen::MatrixXd state_rows = Eigen::MatrixXd::Zero(all, all);
  if (!evaluate_rates() || !rates_.jacobian(v_.data(), state_rows)) return fail(t, y);
  matrix.topLeftCorner(d, d) = state_rows.topLeftCorner(d, d);
  if (!matrix.allFinite()) return fail(t, y);
  budget_rows(y, state_rows, matrix);
  return matrix.allFinite() || fail(t, y);
}

/// Computes the rows of the factor and the budgets. Algebraic multipliers move with the state.
void RightSide::budget_rows(const double* y, const Eigen::MatrixXd& state_rows, Eigen::Map<Eigen::MatrixXd>& matrix) {
  const std::size_t base = dynamics_->n + dynamics_->r + 1;
  const Eigen::Index d = index(dimension_);
  const std::size_t laws = dynamics_->laws;
  balance(v_.data());
  const ShortArray here = balance_;
  for (std::size_t k = 0; k < laws; ++k) matrix(d + 1 + index(k), d + 1 + index(k)) = here[BalanceOutputs::L_z];
  const double sqrt_epsilon = std::sqrt(std::numeric_limits<double>::epsilon());
  for (std::size_t j = 0; j < dimension_; ++j) {
    const std::size_t at = j < base ? j : j + 1;
    shifted_ = v_;
    const double shift = sqrt_epsilon * std::max(1.0, std::abs(v_[at]));
    shifted_[at] += shift;
    if (!dynamics_->differential()) {
      for (std::size_t A = 0; A < dynamics_->m; ++A)
        shifted_[base + 1 + A] += shift * state_rows(index(base + A), index(j));
    }
    balance(shifted_.data());
    const double L_zu = (balance_[BalanceOutputs::L_z] - here[BalanceOutputs::L_z]) / shift;
    matrix(d, index(j)) = -L_zu;
    for (std::size_t k = 0; k < laws; ++k)
      matrix(d + 1 + index(k), index(j)) =
          L_zu * y[dimension_ + 1 + k] +
          (balance_[BalanceOutputs::source(k)] - here[BalanceOutputs::source(k)]) / shift;
  }
}

std::span<const double> RightSide::law_scales(double t, const double* y) {
  if (dynamics_->laws == 0) return {};
  load(t, y);
  return law_scales();
}

std::span<const double> RightSide::law_scales() {
  balance(v_.data());
  for (std::size_t k = 0; k < scales_.size(); ++k) scales_[k] = std::abs(balance_[BalanceOutputs::scale(k)]);
  return scales_;
}

}  // namespace herglotz::integrate
