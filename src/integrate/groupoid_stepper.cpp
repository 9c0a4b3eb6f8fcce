#include "groupoid_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace herglotz::integrate {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

}  // namespace

std::vector<double> composition_fractions(int order) {
  if (order == 2) return {1};
  const double outer = 1 / (4 - std::cbrt(4.0));
  return {outer, outer, 1 - 4 * outer, outer, outer};
}

GroupoidStepper::GroupoidStepper(const Run& run, RetractionKind kind, std::vector<double> fractions)
    : run_(run),
      fractions_(std::move(fractions)),
      n_(run.dynamics.n),
      r_(run.dynamics.r),
      m_(run.dynamics.m),
      base_(n_ + r_ + 1),
      laws_(run.dynamics.laws),
      step_(run.dynamics, run.parameters, kind, fractions_),
      saddle_(run.dynamics, run.parameters) {
  const Dynamics& d = run.dynamics;
  if (m_ > 0) rates_.emplace(d, run.parameters);
  state_.resize(base_ + 1 + laws_);
  last_state_.assign(run.state.begin(), run.state.end());
  multipliers_.resize(m_);
  v_.resize(d.variables());
  frame_values_.resize(r_ * r_);
  balance_.resize(1 + 3 * laws_);
  sources_.resize(laws_);
  work_.resize(std::max(d.groupoid.frame ? d.groupoid.frame.work_size() : 0, d.balance ? d.balance.work_size() : 0));
  frame_.setIdentity(index(r_), index(r_));
  xi_.setZero(index(r_));
  w_.setZero(index(r_));
}

void GroupoidStepper::take_frame(const double* x) {
  const kernel::Kernel& frame = run_.dynamics.groupoid.frame;
  if (!frame) return;
  frame(x, run_.parameters.data(), frame_values_.data(), work_.data());
  frame_ = Eigen::Map<const RowMajor>(frame_values_.data(), index(r_), index(r_));
}

/// v of x, w_, z, t, l.
void GroupoidStepper::load(const double* x, double z, double t, const double* l) {
  std::copy_n(x, n_, v_.begin());
  std::copy_n(w_.data(), r_, v_.begin() + static_cast<std::ptrdiff_t>(n_));
  v_[n_ + r_] = z;
  v_[base_] = t;
  std::copy_n(l, m_, v_.begin() + static_cast<std::ptrdiff_t>(base_) + 1);
}

Status GroupoidStepper::start() {
  std::copy(run_.state.begin(), run_.state.end(), last_state_.begin());
  if (const Status status = find_start(); status != Status::success) return status;
  load(last_state_.data(), last_state_[n_ + r_], run_.t0, multipliers_.data());
  if (rates_ && (*rates_)(v_.data())) {
    std::copy_n(rates_->ell(), m_, multipliers_.begin());
    std::copy_n(multipliers_.begin(), m_, v_.begin() + static_cast<std::ptrdiff_t>(base_) + 1);
  }
  step_.begin(xi_, multipliers_.data());
  velocity_known_ = true;
  if (laws_ > 0) {
    run_.dynamics.balance(v_.data(), run_.parameters.data(), balance_.data(), work_.data());
    for (std::size_t k = 0; k < laws_; ++k) state_.set(base_ + 1 + k, balance_[1 + 3 * k]);
  }
  return Status::success;
}

/// (x, mu, z) and xi of the start.
Status GroupoidStepper::find_start() {
  saddle_.load(run_.t0, run_.state);
  Eigen::VectorXd p(index(r_));
  if (!saddle_.momentum(p.data())) {
    reason_ = "the momentum p(x, w, z, t) is not finite";
    return Status::not_finite;
  }
  if (const Stop stop = singularity(run_.dynamics, run_.parameters, run_.t0, run_.state);
      stop.status != Status::success) {
    reason_ = stop.reason;
    return stop.status;
  }
  take_frame(run_.state.data());
  for (std::size_t i = 0; i < base_ - 1; ++i) state_.set(i, run_.state[i]);
  state_.set(base_ - 1, run_.state[base_ - 1]);
  const Eigen::VectorXd mu = frame_.transpose() * p;
  for (std::size_t a = 0; a < r_; ++a) state_.set(n_ + a, mu(index(a)));
  w_ = Eigen::Map<const Eigen::VectorXd>(run_.state.data() + n_, index(r_));
  xi_ = frame_.partialPivLu().solve(w_);
  if (!xi_.allFinite()) {
    reason_ = "the frame in which the structure is constant is singular";
    return Status::not_finite;
  }
  return Status::success;
}

Status GroupoidStepper::step(double t, double h) {
  before_ = state_;
  double at = t;
  for (std::size_t k = 0; k < fractions_.size(); ++k) {
    const double fraction = fractions_[k] * h;
    if (const Status status = step_(k, state_, at, fraction); status != Status::success) {
      reason_ = step_.reason();
      state_ = before_;
      step_.forget();
      return status;
    }
    advance(fraction);
    at += fraction;
  }
  velocity_known_ = false;
  return Status::success;
}

void GroupoidStepper::advance(double h) {
  const GroupoidStep::Result& result = step_.result();
  if (laws_ > 0) {
    std::fill(sources_.begin(), sources_.end(), 0.0);
    add_sources(step_.first(), step_.impulse(), h);
    add_sources(step_.second(), step_.end_impulse(), h);
    const double before = h / 2 * result.rate0;
    const double after = h / 2 * result.rate1;
    for (std::size_t k = 0; k < laws_; ++k) {
      const std::size_t at = base_ + 1 + k;
      state_.add(at, ((before + after) * state_[at] + sources_[k]) / (1 - after));
    }
  }
  for (std::size_t i = 0; i < n_; ++i) {
    state_.add(i, result.x(index(i)));
    state_.add(i, step_.rounded()(index(i)));
  }
  for (std::size_t a = 0; a < r_; ++a) state_.add(n_ + a, result.mu(index(a)));
  state_.add(base_ - 1, result.z);
  state_.add(base_, -result.log_sigma);
}

void GroupoidStepper::add_sources(const GroupoidStage& stage, const Eigen::VectorXd& impulse, double h) {
  take_frame(stage.x());
  w_.noalias() = frame_ * Eigen::Map<const Eigen::VectorXd>(stage.xi(), index(r_));
  for (std::size_t A = 0; A < m_; ++A) multipliers_[A] = impulse(index(A)) / h;
  load(stage.x(), stage.z(), stage.t(), multipliers_.data());
  run_.dynamics.balance(v_.data(), run_.parameters.data(), balance_.data(), work_.data());
  for (std::size_t k = 0; k < laws_; ++k) sources_[k] += h / 2 * balance_[3 + 3 * k];
}

/// (x, w, z) with the w of the last solution.
void GroupoidStepper::guess_velocity() {
  for (std::size_t i = 0; i < n_; ++i) last_state_[i] = state_[i];
  last_state_[base_ - 1] = state_[base_ - 1];
  take_frame(last_state_.data());
  w_.noalias() = frame_ * step_.xi();
  std::copy_n(w_.data(), r_, last_state_.begin() + static_cast<std::ptrdiff_t>(n_));
}

/// w at the end of the last step, from the momenta and on the constraints.
Status GroupoidStepper::know_velocity(double t) {
  if (velocity_known_) return Status::success;
  guess_velocity();
  for (std::size_t a = 0; a < r_; ++a) xi_(index(a)) = state_[n_ + a];
  const Eigen::VectorXd p = frame_.transpose().partialPivLu().solve(xi_);
  saddle_.load(t, last_state_);
  Status status = saddle_.factorise();
  if (status == Status::success) status = m_ > 0 ? saddle_.project_velocities(p.data()) : saddle_.recover(p.data());
  if (status != Status::success) {
    reason_ = saddle_.reason();
    return status;
  }
  std::copy_n(saddle_.v() + n_, r_, last_state_.begin() + static_cast<std::ptrdiff_t>(n_));
  velocity_known_ = true;
  return Status::success;
}

Status GroupoidStepper::sample(double t, Sample& sample) {
  if (const Status status = know_velocity(t); status != Status::success) return status;
  sample.t = t;
  std::copy(last_state_.begin(), last_state_.end(), sample.state.begin());
  sample.log_factor = state_[base_];
  for (std::size_t k = 0; k < laws_; ++k) sample.budget[k] = state_[base_ + 1 + k];
  if (!rates_) return Status::success;
  std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
  w_ = Eigen::Map<const Eigen::VectorXd>(last_state_.data() + n_, index(r_));
  load(last_state_.data(), last_state_[base_ - 1], t, multipliers_.data());
  if (!(*rates_)(v_.data())) {
    reason_ = "the multipliers are not determined";
    return rates_->singular() ? Status::singular_constraints : Status::not_finite;
  }
  sample.multipliers.assign(rates_->ell(), rates_->ell() + m_);
  return Status::success;
}

void GroupoidStepper::follow(const FixedStepper& other) {
  const auto& leader = static_cast<const GroupoidStepper&>(other);
  state_ = leader.state_;
  last_state_ = leader.last_state_;
  velocity_known_ = leader.velocity_known_;
  const std::vector<double> none(m_, 0.0);
  step_.begin(leader.step_.xi(), none.data());
}

std::span<const double> GroupoidStepper::last_state() {
  if (!velocity_known_) guess_velocity();
  return last_state_;
}

}  // namespace herglotz::integrate
