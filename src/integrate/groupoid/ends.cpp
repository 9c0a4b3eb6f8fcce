#include "groupoid/ends.hpp"

#include <algorithm>

#include "herglotz/integrate/kernel_outputs.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "motion/fill_sample.hpp"

namespace herglotz::integrate {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::Map<Eigen::VectorXd>;
using Given = Eigen::Map<const Eigen::VectorXd>;
using linear::index;

}  // namespace

GroupoidBoundary::GroupoidBoundary(const Dynamics& dynamics, std::span<const double> parameters)
    : dynamics_(&dynamics),
      parameters_(parameters),
      n_(dynamics.n),
      r_(dynamics.r),
      m_(dynamics.m),
      base_(n_ + r_ + 1),
      saddle_(dynamics, parameters),
      state_(base_),
      multipliers_(m_),
      v_(dynamics.variables()),
      frame_values_(r_ * r_),
      balance_(BalanceOutputs::count(dynamics.laws)) {
  if (m_ > 0) rates_.emplace(dynamics, parameters);
  const kernel::Kernel& frame = dynamics.groupoid.frame;
  work_.resize(std::max(frame ? frame.work_size() : 0, dynamics.balance ? dynamics.balance.work_size() : 0));
  frame_.setIdentity(index(r_), index(r_));
}

void GroupoidBoundary::take_frame(const double* x) {
  const kernel::Kernel& frame = dynamics_->groupoid.frame;
  if (!frame) return;
  frame(x, parameters_.data(), frame_values_.data(), work_.data());
  frame_ = Eigen::Map<const RowMajor>(frame_values_.data(), index(r_), index(r_));
}

/// Sets v from the state, with the multipliers.
void GroupoidBoundary::load(double t) {
  std::copy(state_.begin(), state_.end(), v_.begin());
  v_[base_] = t;
  std::copy(multipliers_.begin(), multipliers_.end(), v_.begin() + static_cast<std::ptrdiff_t>(base_) + 1);
}

Status GroupoidBoundary::start(double t0, std::span<const double> state, double* carried, double* xi,
                               double* multipliers) {
  std::copy_n(state.begin(), base_, state_.begin());
  std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
  saddle_.load(t0, state);
  Eigen::VectorXd p(index(r_));
  if (!saddle_.momentum(p.data())) {
    reason_ = "the momentum p(x, w, z, t) is not finite";
    return Status::not_finite;
  }
  if (const Stop stop = singularity(*dynamics_, parameters_, t0, state); stop.status != Status::success) {
    reason_ = stop.reason;
    return stop.status;
  }
  take_frame(state.data());
  std::copy_n(state.begin(), base_, carried);
  std::fill_n(carried + base_, 1 + dynamics_->laws, 0.0);
  Vector(carried + n_, index(r_)) = frame_.transpose() * p;
  Vector found(xi, index(r_));
  found = linear::PartialLu(frame_).solve(Given(state.data() + n_, index(r_)));
  if (!found.allFinite()) {
    reason_ = "the frame in which the structure is constant is singular";
    return Status::not_finite;
  }
  load(t0);
  if (rates_ && (*rates_)(v_.data())) {
    std::copy_n(rates_->ell(), m_, multipliers_.begin());
    load(t0);
  }
  std::copy(multipliers_.begin(), multipliers_.end(), multipliers);
  if (dynamics_->laws > 0) {
    dynamics_->balance(v_.data(), parameters_.data(), balance_.data(), work_.data());
    for (std::size_t k = 0; k < dynamics_->laws; ++k) carried[base_ + 1 + k] = balance_[BalanceOutputs::quantity(k)];
  }
  velocity_known_ = true;
  return Status::success;
}

/// Sets the state to (x, w, z) with the w of the last solution.
void GroupoidBoundary::guess(const double* carried, const double* xi) {
  std::copy_n(carried, n_, state_.begin());
  state_[base_ - 1] = carried[base_ - 1];
  take_frame(carried);
  Vector(state_.data() + n_, index(r_)).noalias() = frame_ * Given(xi, index(r_));
}

/// Computes w at the end of the last step, from the momenta and on the constraints.
Status GroupoidBoundary::find_velocity(double t, const double* carried, const double* xi) {
  if (velocity_known_) return Status::success;
  guess(carried, xi);
  const Eigen::VectorXd p = linear::PartialLu(frame_.transpose()).solve(Given(carried + n_, index(r_)));
  saddle_.load(t, state_);
  Status status = saddle_.factorise();
  if (status == Status::success) status = m_ > 0 ? saddle_.project_velocities(p.data()) : saddle_.recover(p.data());
  if (status != Status::success) {
    reason_ = saddle_.reason();
    return status;
  }
  std::copy_n(saddle_.v() + n_, r_, state_.begin() + static_cast<std::ptrdiff_t>(n_));
  velocity_known_ = true;
  return Status::success;
}

Status GroupoidBoundary::arrive(double t, const double* carried, const double* xi) {
  if (const Status status = find_velocity(t, carried, xi); status != Status::success) return status;
  if (!rates_) return Status::success;
  std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
  load(t);
  if (!(*rates_)(v_.data())) {
    reason_ = "the multipliers are not determined";
    return rates_->singular() ? Status::singular_constraints : Status::not_finite;
  }
  std::copy_n(rates_->ell(), m_, multipliers_.begin());
  return Status::success;
}

void GroupoidBoundary::write(double t, const double* carried, Sample& sample) const {
  fill_sample(sample, t, state_, carried + base_);
  if (rates_) sample.multipliers = multipliers_;
}

std::span<const double> GroupoidBoundary::last_state(const double* carried, const double* xi) {
  if (!velocity_known_) guess(carried, xi);
  return state_;
}

void GroupoidBoundary::follow(const GroupoidBoundary& leader) {
  state_ = leader.state_;
  velocity_known_ = leader.velocity_known_;
}

}  // namespace herglotz::integrate
