#pragma once
/// State that a run of a variational method carries from step to step: momenta, and the last known velocity.

#include <cstddef>
#include <vector>

#include "motion/velocity_recovery.hpp"
#include "numerics/compensated.hpp"

namespace herglotz::integrate {

/// State (x, p, z, log factor, budgets) of a motion on T*Q x R, of one run or of one in every lane.
template <class P>
class CarriedState {
 public:
  using M = MaskOf<P>;

  CarriedState(const Dynamics& dynamics, const double* parameters)
      : dynamics_(&dynamics), parameters_(parameters), n_(dynamics.n), recovery_(dynamics, parameters) {
    sums_.resize(size());
    last_.resize(2 * n_ + 1);
    v_.resize(dynamics.variables());
    balance_.resize(laws() > 0 ? dynamics.balance.outputs() : 0);
    work_.resize((laws() > 0 ? dynamics.balance.work_size() : 0) / LanesOf<P>::width + 1);
  }

  [[nodiscard]] std::size_t n() const { return n_; }
  [[nodiscard]] std::size_t laws() const { return dynamics_->laws; }
  [[nodiscard]] std::size_t size() const { return log_factor() + 1 + laws(); }
  [[nodiscard]] std::size_t log_factor() const { return 2 * n_ + 1; }
  [[nodiscard]] std::size_t budget(std::size_t law) const { return 2 * n_ + 2 + law; }

  [[nodiscard]] P x(std::size_t i) const { return sums_[i]; }
  [[nodiscard]] P p(std::size_t i) const { return sums_[n_ + i]; }
  [[nodiscard]] P z() const { return sums_[2 * n_]; }
  [[nodiscard]] P operator[](std::size_t i) const { return sums_[i]; }
  void add(std::size_t i, P increment) { sums_.add(i, increment); }
  [[nodiscard]] const P* data() const { return sums_.data(); }

  /// Sets both states of a lane at the start of its run.
  void set(int lane, const double* last, const double* sums) {
    for (std::size_t i = 0; i < size(); ++i) {
      P entry = sums_[i];
      set_lane(entry, lane, sums[i]);
      sums_.set(i, entry);
    }
    for (std::size_t j = 0; j < last_.size(); ++j) set_lane(last_[j], lane, last[j]);
    velocity_known_ = true;
  }
  /// Takes over the state of another run.
  void follow(const CarriedState& leader) {
    sums_ = leader.sums_;
    last_ = leader.last_;
    velocity_known_ = leader.velocity_known_;
  }

  /// Returns the last w that is known, or the guess for the end of the last step.
  [[nodiscard]] P velocity(std::size_t i) const { return last_[n_ + i]; }
  void guess_velocity(std::size_t i, P w) { last_[n_ + i] = w; }
  void velocity_is_unknown() { velocity_known_ = false; }
  /// Returns (x, w, z).
  const P* last_state() {
    for (std::size_t i = 0; i < n_; ++i) last_[i] = sums_[i];
    last_[2 * n_] = z();
    return last_.data();
  }
  /// Solves p(x, w, z, t) = p for w in the last state. Returns the lanes in which w is known then.
  M recover_velocity(double t, M lanes) {
    last_state();
    if (velocity_known_) return lanes;
    const M done = recovery_(t, last_.data(), sums_.data() + n_, lanes);
    velocity_known_ = any(done);
    return done;
  }
  [[nodiscard]] const VelocityRecovery<P>& recovery() const { return recovery_; }

  /// Returns (L_z, then quantity, scale, source per law) at the last state.
  const P* balance(double t) {
    for (std::size_t j = 0; j < last_.size(); ++j) v_[j] = last_[j];
    v_[last_.size()] = P(t);
    return balance(v_.data());
  }
  /// Returns these numbers at v.
  const P* balance(const P* v) {
    dynamics_->balance(plain(v), parameters_, plain(balance_.data()), plain(work_.data()));
    return balance_.data();
  }

 private:
  const Dynamics* dynamics_;
  const double* parameters_;
  std::size_t n_;
  CompensatedSums<P> sums_;
  std::vector<P> last_;
  bool velocity_known_ = false;
  VelocityRecovery<P> recovery_;
  std::vector<P> v_;
  std::vector<P> balance_;
  std::vector<P> work_;
};

}  // namespace herglotz::integrate
