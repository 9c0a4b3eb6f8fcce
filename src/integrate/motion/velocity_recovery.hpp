#pragma once
/// Velocities from momenta without constraints, of one run or of one in every lane.

#include <cstddef>
#include <limits>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"
#include "numerics/lane_lu.hpp"

namespace herglotz::integrate {

/// Solver of p(x, w, z, t) = p for w by Newton's method to round-off. SaddlePoint solves it under constraints. The
/// iteration is not that of newton.hpp, since p is known exactly: it may end one evaluation earlier, by a bound on the
/// remaining error from how far w has moved since its matrix was computed.
template <class P>
class VelocityRecovery {
 public:
  using M = MaskOf<P>;

  VelocityRecovery(const Dynamics& dynamics, const double* parameters)
      : dynamics_(&dynamics), parameters_(parameters), n_(dynamics.n), r_(dynamics.r) {
    v_.resize(dynamics.variables());
    out_.resize(dynamics.stage.outputs());
    jacobian_.resize(dynamics.stage_jacobian.outputs());
    std::size_t work = dynamics.stage.work_size();
    if (dynamics.stage_jacobian.work_size() > work) work = dynamics.stage_jacobian.work_size();
    work_.resize(work / LanesOf<P>::width + 1);
    matrix_.resize(r_, false);
    right_.resize(r_);
    update_.resize(r_);
  }

  /// Moves the w of `state` = (x, w, z), a guess, until its momenta are p. Returns the lanes in which this succeeded;
  /// the other lanes keep their w.
  M operator()(double t, P* state, const P* p, M lanes) {
    for (std::size_t i = 0; i <= n_ + r_; ++i) v_[i] = state[i];
    v_[n_ + r_ + 1] = P(t);
    not_finite_ = !all();
    drop(factorise(!all()), lanes);
    const M done = solve(p, lanes);
    for (std::size_t a = 0; a < r_; ++a) put(done, state[n_ + a], v_[n_ + a]);
    return done;
  }
  /// Returns the lanes in which the last recovery failed because momenta or their derivatives were not finite.
  [[nodiscard]] M not_finite() const { return not_finite_; }

 private:
  static constexpr int most_iterations = 50;
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  /// Size below which updates that stop falling count as round-off.
  static constexpr double round_off = 1e-11;
  /// Size of an update after which only one more update can help.
  static constexpr double at_round_off = 64 * epsilon;
  /// Ratio of successive updates above which small updates have reached round-off.
  static constexpr double stagnation = 0.5;
  /// Ratio of successive updates up to which a factorisation is kept.
  static constexpr double good_contraction = 0.05;

  static M all() { return P(0.0) <= P(0.0); }

  void drop(M finite, M& active) {
    not_finite_ = not_finite_ | (active & !finite);
    active = active & finite;
  }

  /// Computes and factorises W at v; lanes in `keep` keep their W. Returns the lanes in which W is finite.
  M factorise(M keep) {
    dynamics_->stage_jacobian(plain(v_.data()), parameters_, plain(jacobian_.data()), plain(work_.data()));
    matrix_.clear();
    for (std::size_t e = 0; e < jacobian_.size(); ++e) {
      const std::size_t row = dynamics_->stage_pattern.row[e];
      const std::size_t col = dynamics_->stage_pattern.col[e];
      if (row >= n_ && row < n_ + r_ && col >= n_ && col < n_ + r_) matrix_.at(row - n_, col - n_) += jacobian_[e];
    }
    return matrix_.compute(keep);
  }

  M solve(const P* p, M active) {
    M solved = !all();
    P previous(std::numeric_limits<double>::infinity());
    P moved(0.0);  // relative size of all updates since W was computed
    const auto accept = [&](M lanes) {
      solved = solved | (active & lanes);
      active = active & !lanes;
    };
    for (int iteration = 0; iteration < most_iterations && any(active); ++iteration) {
      dynamics_->stage(plain(v_.data()), parameters_, plain(out_.data()), plain(work_.data()));
      drop(finite_numbers(out_.data(), out_.size()), active);
      for (std::size_t a = 0; a < r_; ++a) right_[a] = p[a] - out_[n_ + a];
      matrix_.solve(right_.data(), update_.data());
      active = active & finite_numbers(update_.data(), r_);
      P size(1e-300);
      P change(0.0);
      for (std::size_t a = 0; a < r_; ++a) {
        size = larger(magnitude(v_[n_ + a]), size);
        change = larger(magnitude(update_[a]), change);
      }
      const P relative = change / size;
      accept((previous <= P(round_off)) & (relative >= P(stagnation) * previous) & (relative > P(2 * epsilon)));
      moved += relative;
      for (std::size_t a = 0; a < r_; ++a) put(active, v_[n_ + a], v_[n_ + a] + update_[a]);
      // The remaining error is this update times the change of W since it was computed.
      accept((relative * moved <= P(0.25 * epsilon)) | (relative <= P(2 * epsilon)) | (previous <= P(at_round_off)) |
             (change <= P(0.0)));
      const M stale = active & (relative > P(good_contraction) * previous) & (relative > P(8 * epsilon));
      if (any(stale)) {
        drop(factorise(!stale) | !stale, active);
        moved = select(stale, P(0.0), moved);
      }
      previous = relative;
    }
    return solved;
  }

  const Dynamics* dynamics_;
  const double* parameters_;
  std::size_t n_;
  std::size_t r_;
  std::vector<P> v_;
  std::vector<P> out_;
  std::vector<P> jacobian_;
  std::vector<P> work_;
  LaneLU<P, 0> matrix_;
  std::vector<P> right_;
  std::vector<P> update_;
  M not_finite_ = !all();
};

}  // namespace herglotz::integrate
