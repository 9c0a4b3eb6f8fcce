#pragma once
/// Projection of momenta onto constraints by straight-line code, for one run or for one in every lane.

#include <cstddef>
#include <limits>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"
#include "motion/stage_layout.hpp"
#include "numerics/pack.hpp"

namespace herglotz::integrate {

/// Counterpart of SaddlePoint::project_velocities() that uses the projection kernel alone. Its iteration is not that of
/// newton.hpp, since the kernel computes whole updates: there is no matrix to keep or to renew.
template <class P>
class DirectProjection {
 public:
  using M = MaskOf<P>;

  DirectProjection(const Dynamics& dynamics, const double* parameters)
      : dynamics_(&dynamics), parameters_(parameters), layout_(dynamics) {
    if (!applies()) return;
    v_.resize(dynamics.variables() + layout_.r);
    step_.resize(dynamics.projection.outputs());
    impulse_.resize(layout_.m);
    balance_.resize(works() ? 2 * dynamics.balance.outputs() : 0);
    std::size_t work = dynamics.projection.work_size();
    if (works() && dynamics.balance.work_size() > work) work = dynamics.balance.work_size();
    work_.resize(work / LanesOf<P>::width + 1);
  }

  /// Moves the w of (x, w, z, l) until p(x, w, z, t) = p + Phi_y^T k and Phi = 0. Writes the change of p and of the
  /// budgets by the impulse k into `moves` = (x, p, z, log factor, budgets). Returns the lanes in which a few steps
  /// sufficed; the other lanes keep their w.
  M operator()(double t, P* state, const P* p, M lanes, P* moves) {
    M done = !all();
    if (!applies()) return done;
    const std::size_t r = layout_.r;
    const std::size_t m = layout_.m;
    P* const w = v_.data() + layout_.n;
    P* const target = v_.data() + dynamics_->variables();
    P* const momentum = moves + layout_.n;
    load(t, state);
    for (std::size_t a = 0; a < r; ++a) momentum[a] = P(0.0);
    for (P& k : impulse_) k = P(0.0);
    P previous(std::numeric_limits<double>::infinity());
    for (int iteration = 0; iteration < most_steps && any(lanes); ++iteration) {
      for (std::size_t a = 0; a < r; ++a) target[a] = p[a] + momentum[a];
      dynamics_->projection(plain(v_.data()), parameters_, plain(step_.data()), plain(work_.data()));
      P size(0.0);
      P change(0.0);
      for (std::size_t a = 0; a < r; ++a) {
        size = larger(magnitude(w[a]), size);
        change = larger(magnitude(step_[a]), change);
        put(lanes, w[a], w[a] + step_[a]);
        put(lanes, momentum[a], momentum[a] + step_[r + m + a]);
      }
      for (std::size_t A = 0; A < m; ++A) put(lanes, impulse_[A], impulse_[A] + step_[r + A]);
      lanes = lanes & finite_numbers(step_.data(), step_.size());
      const P relative = change / larger(size, P(1e-300));
      // Each step computes its blocks anew, so the remaining error is the square of this step.
      const M arrived =
          lanes & ((relative * relative <= P(0.25 * epsilon)) | (previous <= P(at_round_off)) | (change <= P(0.0)));
      done = done | arrived;
      lanes = lanes & !arrived;
      previous = relative;
    }
    for (std::size_t a = 0; a < r; ++a) put(done, state[layout_.n + a], w[a]);
    if (works()) add_work(moves);
    return done;
  }

 private:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  /// Size of an update after which only one more update can help.
  static constexpr double at_round_off = 64 * epsilon;
  static constexpr int most_steps = 3;

  static M all() { return P(0.0) <= P(0.0); }
  [[nodiscard]] bool applies() const {
    return dynamics_->projection && dynamics_->positions == 0 && !dynamics_->forces_use_velocity;
  }
  [[nodiscard]] bool works() const { return dynamics_->laws > 0 && dynamics_->laws_use_multipliers; }

  void load(double t, const P* state) {
    for (std::size_t i = 0; i < layout_.base; ++i) v_[i] = state[i];
    v_[layout_.base] = P(t);
    for (std::size_t A = 0; A < layout_.m; ++A) v_[layout_.base + 1 + A] = P(0.0);
  }
  /// Writes the work of the impulse on every law, source(v with l = k) - source(v with l = 0), into `moves`.
  void add_work(P* moves) {
    const std::size_t outputs = dynamics_->balance.outputs();
    P* const l = v_.data() + layout_.base + 1;
    P* const free = balance_.data() + outputs;
    dynamics_->balance(plain(v_.data()), parameters_, plain(free), plain(work_.data()));
    for (std::size_t A = 0; A < layout_.m; ++A) l[A] = impulse_[A];
    dynamics_->balance(plain(v_.data()), parameters_, plain(balance_.data()), plain(work_.data()));
    for (std::size_t k = 0; k < dynamics_->laws; ++k)
      moves[layout_.base + 1 + k] = balance_[BalanceOutputs::source(k)] - free[BalanceOutputs::source(k)];
  }

  const Dynamics* dynamics_;
  const double* parameters_;
  StageLayout layout_;
  std::vector<P> v_;        // (x, w, z, t, l), then p_hat
  std::vector<P> step_;     // (dw, k, Phi_y^T k)
  std::vector<P> impulse_;  // k
  std::vector<P> balance_;
  std::vector<P> work_;
};

}  // namespace herglotz::integrate
