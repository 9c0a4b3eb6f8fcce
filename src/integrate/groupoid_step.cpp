#include "groupoid_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "newton.hpp"

namespace herglotz::integrate {
namespace {

using newton::converged;
using newton::epsilon;
using newton::most_iterations;
using newton::round_off;

/// A factorisation is kept while it converges in this many iterations.
constexpr int good_iterations = 4;
/// At the end of a step it is kept while updates fall as fast as this.
constexpr double good_contraction = 0.05;

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

std::vector<double> structure_constants(const GroupoidMap& map, std::size_t r, std::span<const double> parameters) {
  if (!map || !map.stage_jacobian || !map.structure || !map.generators)
    throw std::invalid_argument("methods on groupoids need the kernels of an action groupoid; the dynamics lacks them");
  std::vector<double> c(r * r * r);
  std::vector<double> work(map.structure.work_size());
  const double none = 0;
  map.structure(&none, parameters.data(), c.data(), work.data());
  return c;
}

}  // namespace

GroupoidStep::GroupoidStep(const Dynamics& dynamics, std::span<const double> parameters, RetractionKind kind,
                           std::span<const double> fractions)
    : dynamics_(&dynamics),
      parameters_(parameters),
      n_(dynamics.n),
      r_(dynamics.r),
      m_(dynamics.m),
      positions_(dynamics.positions),
      action_(dynamics.groupoid, n_, r_, parameters),
      retraction_(kind, r_, structure_constants(dynamics.groupoid, r_, parameters), dynamics.groupoid.factors),
      first_(dynamics, parameters),
      second_(dynamics, parameters),
      end_(dynamics, parameters),
      slots_(fractions.size()) {
  for (std::size_t k = 0; k < slots_.size(); ++k) slots_[k].fraction = fractions[k];
  const Eigen::Index n = index(n_);
  const Eigen::Index r = index(r_);
  const Eigen::Index m = index(m_);
  for (Eigen::VectorXd* vector : {&mu0_, &v_, &mean_, &total_, &xi_}) vector->setZero(r);
  for (Eigen::VectorXd* vector : {&unknowns_, &residual_, &update_}) vector->setZero(r + 1 + m);
  for (Eigen::VectorXd* vector : {&end_unknowns_, &end_residual_, &end_update_}) vector->setZero(r + m);
  for (Eigen::VectorXd* vector : {&impulse_, &end_impulse_}) vector->setZero(m);
  end_target_.setZero(r);
  rest_.resize(n_);
  phi_.setZero(m);
  matrix_.setZero(r + 1 + m, r + 1 + m);
  end_matrix_.setZero(r + m, r + m);
  transport_.setZero(n, r);
  inverse_left_.setIdentity(r, r);
  block_.setZero(r, r);
  change_.setZero(r, r);
  result_.x.setZero(n);
  result_.mu.setZero(r);
  for (Slot& slot : slots_) {
    for (auto& past : slot.step.solutions) past.setZero(r + 1 + m);
    for (auto& past : slot.end.solutions) past.setZero(r + m);
  }
  position_values_.resize(2 * positions_);
  position_point_.resize(dynamics.variables());
  if (dynamics.position) work_.resize(dynamics.position.work_size());
}

void GroupoidStep::begin(const Eigen::VectorXd& xi, const double* multipliers) {
  xi_ = xi;
  for (std::size_t A = 0; A < m_; ++A) end_impulse_(index(A)) = multipliers[A];
  h_ = 1;
  forget();
}

void GroupoidStep::forget() {
  for (Slot& slot : slots_) {
    for (Memory* memory : {&slot.step, &slot.end}) {
      memory->remembered = 0;
      memory->factorised = false;
    }
  }
}

void GroupoidStep::predict(const Memory& memory, Eigen::VectorXd& guess) {
  static constexpr double weights[history_length][history_length] = {
      {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}, {6, -15, 20, -15, 6, -1}};
  const auto past = [&memory](int back) -> const Eigen::VectorXd& {
    return memory.solutions[static_cast<std::size_t>((memory.newest + history_length - back) % history_length)];
  };
  const double* weight = weights[memory.remembered - 1];
  guess = weight[0] * past(0);
  for (int back = 1; back < memory.remembered; ++back) guess += weight[back] * past(back);
}

void GroupoidStep::remember(Memory& memory, const Eigen::VectorXd& solution) {
  memory.newest = (memory.newest + 1) % history_length;
  memory.solutions[static_cast<std::size_t>(memory.newest)] = solution;
  memory.remembered = std::min(memory.remembered + 1, history_length);
}

void GroupoidStep::guess(const Slot& slot, const CompensatedVector& state) {
  if (slot.step.remembered > 0) {
    predict(slot.step, unknowns_);
    return;
  }
  unknowns_.head(index(r_)) = xi_;
  unknowns_(index(r_)) = state[n_ + r_];
  // Multipliers change less than impulses of steps of different sizes.
  unknowns_.tail(index(m_)) = end_impulse_ * (slot.h / h_before_);
}

Status GroupoidStep::operator()(std::size_t which, const CompensatedVector& state, double t, double h) {
  Slot& slot = slots_[which];
  if (slot.h != h) {
    slot.h = h;
    slot.step.remembered = slot.end.remembered = 0;
    slot.step.factorised = slot.end.factorised = false;
  }
  for (std::size_t i = 0; i < n_; ++i) {
    first_.x()[i] = state[i];
    rest_[i] = state.rest(i);
  }
  for (std::size_t a = 0; a < r_; ++a) mu0_(index(a)) = state[n_ + a];
  first_.set(state[n_ + r_], t);
  second_.set(state[n_ + r_], t + h);
  h_before_ = h_;
  guess(slot, state);
  h_ = h;
  fraction_ = slot.fraction;
  Status status = solve(slot.step, false);
  if (status != Status::success && slot.step.remembered > 0) {
    // An extrapolated guess can leave the region of convergence where the motion bends sharply.
    slot.step.remembered = slot.end.remembered = 0;
    slot.step.factorised = slot.end.factorised = false;
    guess(slot, state);
    status = solve(slot.step, true);
  }
  if (status != Status::success) return status;
  return finish(slot);
}

/// Both stages at the unknowns, and the residual. reason_ is set where that is impossible.
bool GroupoidStep::evaluate() {
  reason_.clear();
  v_ = h_ * unknowns_.head(index(r_));
  if (!retraction_.at(v_.data())) {
    reason_ = fmt::format(
        "the step {:.3g} turns the group element beyond where its retraction is a local diffeomorphism; take a step "
        "below {:.2g}",
        whole_step(), whole_step() / 2);
    return false;
  }
  if (!action_.displace(first_.x(), rest_.data(), retraction_.logarithm().data(), result_.x)) {
    reason_ = "the action of the group on the base could not be followed through the step; take a smaller step";
    return false;
  }
  for (std::size_t i = 0; i < n_; ++i) second_.x()[i] = first_.x()[i] + result_.x(index(i));
  for (GroupoidStage* stage : {&first_, &second_}) std::copy_n(unknowns_.data(), r_, stage->xi());
  second_.set(unknowns_(index(r_)), second_.t());
  if (!first_.evaluate() || !second_.evaluate()) return false;
  fill_residual();
  return residual_.allFinite();
}

void GroupoidStep::fill_residual() {
  const Eigen::Index r = index(r_);
  mean_ = 0.5 * (first_.mu() + second_.mu());
  auto momentum = residual_.head(r);
  if (retraction_.trivial()) {
    momentum = mean_;
  } else {
    momentum.noalias() = retraction_.inverse_differential().transpose() * mean_;
  }
  momentum -= mu0_ + h_ / 2 * (first_.L_z() * mu0_ + first_.force());
  result_.z = h_ / 2 * (first_.L() + second_.L());
  residual_(r) = unknowns_(r) - first_.z() - result_.z;
  if (m_ == 0) return;
  momentum.noalias() -= 0.5 * first_.directions() * unknowns_.tail(index(m_));
  residual_.tail(index(m_)) = 0.5 * (first_.Phi() + second_.Phi());
  if (positions_ == 0) return;
  std::copy_n(second_.x(), n_, position_point_.begin());
  std::copy_n(second_.xi(), r_, position_point_.begin() + static_cast<std::ptrdiff_t>(n_));
  position_point_[n_ + r_] = second_.z();
  position_point_[n_ + r_ + 1] = second_.t();
  dynamics_->position(position_point_.data(), parameters_.data(), position_values_.data(), work_.data());
  for (std::size_t k = 0; k < positions_; ++k) residual_(r + 1 + index(k)) = position_values_[k] / h_;
}

/// d phi_k/dz at the end, by a difference: the iteration only converges a little slower for its error.
double GroupoidStep::action_slope(std::size_t k) {
  if (!dynamics_->position_uses_action) return 0;
  const double step = 1e-7 * std::max(1.0, std::abs(second_.z()));
  position_point_[n_ + r_] = second_.z() + step;
  dynamics_->position(position_point_.data(), parameters_.data(), position_values_.data() + positions_, work_.data());
  position_point_[n_ + r_] = second_.z();
  return (position_values_[positions_ + k] - position_values_[k]) / step;
}

/// d residual/d unknowns. The dependence of x1 on xi is exact: h rho(x1) dtau^L_v, dtau^L_v = D(-v)^-1.
void GroupoidStep::factorise(Memory& memory) {
  const Eigen::Index r = index(r_);
  const Eigen::Index m = index(m_);
  first_.differentiate();
  second_.differentiate();
  if (!retraction_.trivial()) inverse_left_ = (retraction_.inverse_differential() + retraction_.ad()).inverse();
  transport_.noalias() = h_ * action_.generators(second_.x()) * inverse_left_;
  block_ = first_.by_xi(0, r_) + second_.by_xi(0, r_);
  block_.noalias() += second_.by_x(0, r_) * transport_;
  block_ *= 0.5;
  auto momentum = matrix_.topLeftCorner(r, r);
  if (retraction_.trivial()) {
    momentum = block_;
    matrix_.col(r).head(r) = 0.5 * second_.by_z(0, r_);
  } else {
    retraction_.differentiate(mean_, change_);
    momentum.noalias() = retraction_.inverse_differential().transpose() * block_;
    momentum += h_ * change_;
    matrix_.col(r).head(r).noalias() = 0.5 * retraction_.inverse_differential().transpose() * second_.by_z(0, r_);
  }
  momentum -= h_ / 2 * first_.by_xi(r_, r_);
  momentum.noalias() -= (h_ / 2 * mu0_) * first_.by_xi(2 * r_ + 1, 1);
  auto action = matrix_.row(r);
  action.head(r) = -h_ / 2 * (first_.by_xi(2 * r_, 1) + second_.by_xi(2 * r_, 1));
  action.head(r).noalias() -= h_ / 2 * second_.by_x(2 * r_, 1) * transport_;
  action(r) = 1 - h_ / 2 * second_.L_z();
  if (m > 0) {
    for (Eigen::Index A = 0; A < m; ++A)
      momentum -= 0.5 * unknowns_(r + 1 + A) * first_.by_xi(2 * r_ + 2 + m_ + static_cast<std::size_t>(A) * r_, r_);
    matrix_.topRightCorner(r, m) = -0.5 * first_.directions();
    add_constraint_rows(r + 1);
  }
  memory.elimination.compute(matrix_);
  memory.factorised = true;
}

void GroupoidStep::add_constraint_rows(Eigen::Index row) {
  const Eigen::Index r = index(r_);
  for (std::size_t k = 0; k < m_; ++k) {
    const Eigen::Index A = index(k);
    auto velocities = matrix_.row(row + A).head(r);
    if (k < positions_) {
      // Phi = phi_x rho xi + phi_z L + phi_t, so phi_x rho is Phi_xi without phi_z mu.
      const double slope = action_slope(k);
      total_ = second_.directions().col(A) - slope * second_.mu();
      velocities.noalias() = total_.transpose() * inverse_left_;
      matrix_(row + A, r) = slope / h_;
    } else {
      const std::size_t at = 2 * r_ + 2 + k;
      velocities = 0.5 * (first_.by_xi(at, 1) + second_.by_xi(at, 1));
      velocities.noalias() += 0.5 * second_.by_x(at, 1) * transport_;
      matrix_(row + A, r) = 0.5 * second_.by_z(at, 1)(0, 0);
    }
  }
}

/// What updates of xi are measured by: near rest the round-off of other terms is all that is left of them.
double GroupoidStep::velocity_size(double xi, double z) const {
  double x = 0;
  for (std::size_t i = 0; i < n_; ++i) x = std::max(x, std::abs(first_.x()[i]));
  const double least = std::max({xi, 1e-6 * x, 1e-6 * z, 1e-290});
  // phi(x1) = 0 determines xi to the round-off of x over h.
  return positions_ > 0 ? std::max(least, 1e-2 * x / std::abs(h_)) : least;
}

/// The largest update of xi, z1 and kappa, each relative to what it may change.
double GroupoidStep::update_size() const {
  const Eigen::Index r = index(r_);
  const double z = std::max(std::abs(unknowns_(r)), std::abs(h_ * first_.L()));
  const double xi = velocity_size(unknowns_.head(r).cwiseAbs().maxCoeff(), z);
  const double largest =
      std::max(update_.head(r).cwiseAbs().maxCoeff() / xi, std::abs(update_(r)) / std::max(z, 1e-6 * xi));
  if (m_ == 0) return largest;
  const double impulse =
      std::max({unknowns_.tail(index(m_)).cwiseAbs().maxCoeff(), mu0_.cwiseAbs().maxCoeff(), 1e-6 * xi});
  return std::max(largest, update_.tail(index(m_)).cwiseAbs().maxCoeff() / impulse);
}

/// Simplified Newton iteration until the kernels have been evaluated at a solution correct to round-off; carefully:
/// with a factorisation of its own for each iteration.
Status GroupoidStep::solve(Memory& memory, bool carefully) {
  double previous = std::numeric_limits<double>::infinity();
  int since_factorised = 0;
  bool fresh = false;
  bool last = false;
  const auto accept = [&] {
    if (since_factorised > good_iterations) memory.factorised = false;
    return Status::success;
  };
  const auto give_up = [&](double size) {
    last_update_ = size;
    memory.factorised = false;
    return fail();
  };
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!evaluate()) {
      memory.factorised = false;
      if (!reason_.empty()) return Status::not_converged;
      reason_ = "the equations of motion are not finite in the step";
      return Status::not_finite;
    }
    if (last) return accept();
    if (!memory.factorised || carefully) {
      factorise(memory);
      fresh = true;
      since_factorised = 0;
    }
    memory.elimination.solve(residual_, update_);
    ++iterations_;
    ++since_factorised;
    if (!update_.allFinite()) return give_up(previous);
    const double size = update_size();
    if (size <= converged) return accept();
    if (size >= previous) {
      if (previous <= round_off) return accept();
      if (!carefully && fresh && since_factorised > 2 && size > 2 * previous) return give_up(size);
      memory.factorised = false;
    }
    unknowns_ -= update_;
    last = iteration > 0 && size * (size / previous) <= 0.5 * epsilon;
    previous = size;
  }
  return give_up(previous);
}

Status GroupoidStep::fail() {
  reason_ = fmt::format(
      "Newton's method did not converge in a step of {:.3g} (last relative update {:.2g}); take a smaller step",
      whole_step(), last_update_);
  return Status::not_converged;
}

Status GroupoidStep::refuse_factor() {
  double largest = 0;
  for (const Slot& slot : slots_) largest = std::max(largest, std::abs(slot.fraction));
  largest *= std::max(std::abs(first_.L_z()), std::abs(second_.L_z()));
  reason_ = fmt::format(
      "the step {:.3g} is too large for the dissipation: the dissipation factor (1 + k L_z/2)/(1 - k L_z/2), "
      "k = {:.3g}, is not positive with L_z = {:.3g} and {:.3g}; take a step below {:.2g}",
      whole_step(), h_, first_.L_z(), second_.L_z(), 1 / largest);
  return Status::not_converged;
}

/// Momenta at the end of the step from the solution.
Status GroupoidStep::finish(Slot& slot) {
  const double before = h_ / 2 * first_.L_z();
  const double after = h_ / 2 * second_.L_z();
  if (!(1 + before > 0) || !(1 - after > 0)) return refuse_factor();
  result_.rate0 = first_.L_z();
  result_.rate1 = second_.L_z();
  result_.log_sigma = std::log1p(before) - std::log1p(-after);
  impulse_ = unknowns_.tail(index(m_));
  // total = (1 - h/2 l_z,1) (mu1 - mu0) but for kappa'.
  total_ = h_ / 2 * first_.force();
  if (m_ > 0) total_.noalias() += 0.5 * first_.directions() * impulse_;
  if (!retraction_.trivial()) {
    v_ = (1 + before) * mu0_ + total_;  // M
    block_ = retraction_.inverse_differential().transpose();
    transposed_.compute(block_);
    transposed_.solve(v_, mean_);
    total_.noalias() += retraction_.ad().transpose() * mean_;
  }
  total_ += (before + after) * mu0_ + h_ / 2 * second_.force();
  remember(slot.step, unknowns_);
  xi_ = unknowns_.head(index(r_));
  if (m_ > 0) {
    if (const Status status = solve_end(slot.end); status != Status::success) return status;
    total_.noalias() += 0.5 * second_.directions() * end_impulse_;
  }
  result_.mu = total_ / (1 - after);
  if (!result_.mu.allFinite() || !std::isfinite(result_.z)) {
    reason_ = "the equations of motion are not finite in the step";
    return Status::not_finite;
  }
  return Status::success;
}

/// kappa' and the xi at the end with (1 - h/2 l_z,1)(l_xi - mu0) = total + (1/2) Phi_xi,1^T kappa', Phi = 0.
Status GroupoidStep::solve_end(Memory& memory) {
  const Eigen::Index r = index(r_);
  const Eigen::Index m = index(m_);
  const double factor = 1 - h_ / 2 * second_.L_z();
  std::copy_n(second_.x(), n_, end_.x());
  end_.set(second_.z(), second_.t());
  end_target_ = total_ + factor * mu0_;
  const bool predicted = memory.remembered > 0;
  if (predicted) {
    predict(memory, end_unknowns_);
    if (iterate_end(memory, false)) return Status::success;
  }
  end_unknowns_.head(r) = xi_;
  end_unknowns_.tail(m) = impulse_;
  return iterate_end(memory, predicted) ? Status::success : fail();
}

bool GroupoidStep::iterate_end(Memory& memory, bool carefully) {
  const Eigen::Index r = index(r_);
  const Eigen::Index m = index(m_);
  const double factor = 1 - h_ / 2 * second_.L_z();
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    std::copy_n(end_unknowns_.data(), r_, end_.xi());
    if (!end_.evaluate()) break;
    end_residual_.head(r) = factor * end_.mu() - end_target_;
    end_residual_.head(r).noalias() -= 0.5 * second_.directions() * end_unknowns_.tail(m);
    end_residual_.tail(m) = end_.Phi();
    if (!memory.factorised || carefully) factorise_end(memory);
    memory.elimination.solve(end_residual_, end_update_);
    ++iterations_;
    if (!end_update_.allFinite()) break;
    const double size = end_update_.head(r).cwiseAbs().maxCoeff() /
                        velocity_size(end_unknowns_.head(r).cwiseAbs().maxCoeff(), std::abs(second_.z()));
    end_unknowns_ -= end_update_;
    last_update_ = size;
    const bool stagnates = size >= previous && previous <= round_off;
    const bool last = iteration > 0 && size * (size / previous) <= 0.25 * epsilon;
    if (size <= converged || stagnates || last) {
      remember(memory, end_unknowns_);
      xi_ = end_unknowns_.head(r);
      end_impulse_ = end_unknowns_.tail(m);
      return true;
    }
    if (iteration > 0 && size > good_contraction * previous) memory.factorised = false;
    previous = size;
  }
  memory.factorised = false;
  memory.remembered = 0;
  return false;
}

void GroupoidStep::factorise_end(Memory& memory) {
  const Eigen::Index r = index(r_);
  const Eigen::Index m = index(m_);
  end_.differentiate();
  end_matrix_.setZero();
  end_matrix_.topLeftCorner(r, r) = (1 - h_ / 2 * second_.L_z()) * end_.by_xi(0, r_);
  end_matrix_.topRightCorner(r, m) = -0.5 * second_.directions();
  end_matrix_.bottomLeftCorner(m, r) = end_.by_xi(2 * r_ + 2, m_);
  memory.elimination.compute(end_matrix_);
  memory.factorised = true;
}

}  // namespace herglotz::integrate
