#pragma once
/// Motion by symmetric compositions of groupoid steps, of one run or of one in every lane.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "groupoid/step.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"
#include "numerics/compensated.hpp"

namespace herglotz::integrate {

/// Motion that makes one GroupoidStep of each fraction of h in turn. The state is (x, mu, z) in the frame in which the
/// structure constants are constant, mu = B^T p. Budgets follow the momenta:
///   (1 - h/2 L_z,1) g1 = (1 + h/2 L_z,0) g0 + (h/2)(source_0 + source_1).
/// The sources are taken at (x0, B xi, z0, lambda) and (x1, B xi, z1, lambda') with the multipliers of the step,
/// kappa/h and kappa'/h. The log factor is log R1 = log R0 - log sigma.
template <class P>
class GroupoidMotion {
 public:
  using M = MaskOf<P>;

  GroupoidMotion(const Dynamics& dynamics, const double* parameters, RetractionKind kind,
                 std::span<const double> fractions)
      : dynamics_(&dynamics),
        parameters_(parameters),
        fractions_(fractions.begin(), fractions.end()),
        n_(dynamics.n),
        r_(dynamics.r),
        m_(dynamics.m),
        base_(n_ + r_ + 1),
        laws_(dynamics.laws),
        step_(dynamics, parameters, kind, fractions) {
    state_.resize(base_ + 1 + laws_);
    if (laws_ == 0) return;
    v_.assign(dynamics.variables(), P(0.0));
    balance_.resize(dynamics.balance.outputs());
    sources_.resize(laws_);
    const kernel::Kernel& frame = dynamics.groupoid.frame;
    if (frame) frame_.resize(r_ * r_);
    const std::size_t work = std::max(frame ? frame.work_size() : 0, dynamics.balance.work_size());
    work_.resize(work / LanesOf<P>::width + 1);
  }

  /// Returns the number of entries of (x, mu, z, log factor, budgets).
  [[nodiscard]] std::size_t state_size() const { return base_ + 1 + laws_; }
  CompensatedSums<P>& state() { return state_; }
  [[nodiscard]] const CompensatedSums<P>& state() const { return state_; }
  [[nodiscard]] std::span<const double> fractions() const { return fractions_; }
  GroupoidStep<P>& one_step() { return step_; }
  [[nodiscard]] const GroupoidStep<P>& one_step() const { return step_; }

  /// Makes one step from t to t + h in some lanes. Returns the lanes in which it succeeded; the state of the others is
  /// lost.
  M step(double t, double h, M lanes) {
    double at = t;
    for (std::size_t k = 0; k < fractions_.size() && any(lanes); ++k) {
      const double fraction = fractions_[k] * h;
      lanes = step_(k, state_, at, fraction, lanes);
      if (any(lanes)) advance(fraction);
      at += fraction;
    }
    return lanes;
  }
  /// Takes over the state of another run.
  void follow(const GroupoidMotion& leader) {
    state_ = leader.state_;
    step_.xi() = leader.step_.xi();
    std::fill(step_.multipliers().begin(), step_.multipliers().end(), P(0.0));
    step_.begin();
  }

 private:
  void advance(double h) {
    const typename GroupoidStep<P>::Result& result = step_.result();
    if (laws_ > 0) add_budgets(h);
    for (std::size_t i = 0; i < n_; ++i) {
      state_.add(i, result.x[i]);
      state_.add(i, result.rounded[i]);
    }
    for (std::size_t a = 0; a < r_; ++a) state_.add(n_ + a, result.mu[a]);
    state_.add(base_ - 1, result.z);
    state_.add(base_, -result.log_sigma);
  }
  void add_budgets(double h) {
    for (P& source : sources_) source = P(0.0);
    add_sources(step_.first(), step_.impulse(), h);
    add_sources(step_.second(), step_.end_impulse(), h);
    const P before = P(h / 2) * step_.result().rate0;
    const P after = P(h / 2) * step_.result().rate1;
    for (std::size_t k = 0; k < laws_; ++k) {
      const std::size_t at = base_ + 1 + k;
      state_.add(at, ((before + after) * state_[at] + sources_[k]) / (P(1.0) - after));
    }
  }
  void add_sources(const GroupoidStage<P>& stage, const std::vector<P>& impulse, double h) {
    for (std::size_t i = 0; i < n_ + r_; ++i) v_[i] = stage.x()[i];
    if (dynamics_->groupoid.frame) turn_velocity(stage);
    v_[n_ + r_] = stage.z();
    v_[base_] = P(stage.t());
    for (std::size_t A = 0; A < m_; ++A) v_[base_ + 1 + A] = impulse[A] / P(h);
    dynamics_->balance(plain(v_.data()), parameters_, plain(balance_.data()), plain(work_.data()));
    for (std::size_t k = 0; k < laws_; ++k) sources_[k] += P(h / 2) * balance_[BalanceOutputs::source(k)];
  }
  /// Computes w = B xi.
  void turn_velocity(const GroupoidStage<P>& stage) {
    dynamics_->groupoid.frame(plain(v_.data()), parameters_, plain(frame_.data()), plain(work_.data()));
    for (std::size_t a = 0; a < r_; ++a) {
      P sum(0.0);
      for (std::size_t b = 0; b < r_; ++b) sum += frame_[a * r_ + b] * stage.xi()[b];
      v_[n_ + a] = sum;
    }
  }

  const Dynamics* dynamics_;
  const double* parameters_;
  std::vector<double> fractions_;
  std::size_t n_;
  std::size_t r_;
  std::size_t m_;
  std::size_t base_;  // n + r + 1
  std::size_t laws_;
  GroupoidStep<P> step_;
  CompensatedSums<P> state_;
  std::vector<P> v_;  // (x, w, z, t, l)
  std::vector<P> frame_;
  std::vector<P> balance_;
  std::vector<P> sources_;
  std::vector<P> work_;
};

}  // namespace herglotz::integrate
