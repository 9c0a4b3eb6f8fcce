// This file is compiled once for each width of registers, which CMake defines.
// It holds the adaptive explicit method in lanes: every lane has its own time and step, and takes the next run when it
// arrives.

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "drive/adaptive_in_lanes.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"
#include "motion/saddle_system.hpp"
#include "runge_kutta/embedded_step.hpp"

namespace herglotz::integrate {

/// Motion in lanes, the counterpart of RightSide.
template <int W>
class LaneMotion {
 public:
  using P = Pack<W>;

  LaneMotion(const Dynamics& wide, const double* parameters)
      : wide_(wide),
        parameters_(parameters),
        base_(wide.n + wide.r + 1),
        dimension_(wide.dimension()),
        v_(wide.variables()),
        out_(wide.flow ? wide.flow.outputs() : wide.mass.outputs()),
        rates_(base_ + wide.m),
        right_(wide.r + wide.m),
        balance_(wide.balance.outputs()),
        work_(most_work(wide) / W + 1),
        scales_(wide.laws + 1) {
    if (!wide.flow) saddle_.emplace(wide);
  }

  Mask<W> operator()(P t, const P* y, P* y_dot) {
    for (std::size_t i = 0; i < base_; ++i) v_[i] = y[i];
    v_[base_] = t;
    if (wide_.differential())
      for (std::size_t k = 0; k < wide_.m; ++k) v_[base_ + 1 + k] = y[base_ + k];
    Mask<W> fine = wide_.flow ? flow() : solve();
    for (std::size_t i = 0; i < dimension_; ++i) y_dot[i] = rates_[i];
    const P L_z = wide_.flow ? out_[rates_.size()] : balance_[BalanceOutputs::L_z];
    y_dot[dimension_] = -L_z;
    for (std::size_t k = 0; k < wide_.laws; ++k) {
      const P source = wide_.flow ? out_[rates_.size() + 1 + k] : balance_[BalanceOutputs::source(k)];
      y_dot[dimension_ + 1 + k] = L_z * y[dimension_ + 1 + k] + source;
    }
    P zero(0.0);
    for (std::size_t i = 0; i < dimension_ + 1 + wide_.laws; ++i) zero += y_dot[i] * P(0.0);
    return fine & is_finite(zero);
  }
  /// Returns the largest |term| of each law at the state of the last call.
  const P* law_scales() {
    wide_.balance(numbers(v_), parameters_, numbers(balance_), numbers(work_));
    for (std::size_t k = 0; k < wide_.laws; ++k) scales_[k] = magnitude(balance_[BalanceOutputs::scale(k)]);
    return scales_.data();
  }

 private:
  static std::size_t most_work(const Dynamics& wide) {
    std::size_t most = wide.balance.work_size();
    if (wide.flow.work_size() > most) most = wide.flow.work_size();
    return wide.mass.work_size() > most ? wide.mass.work_size() : most;
  }
  static double* numbers(std::vector<P>& packs) { return reinterpret_cast<double*>(packs.data()); }

  Mask<W> flow() {
    wide_.flow(numbers(v_), parameters_, numbers(out_), numbers(work_));
    for (std::size_t i = 0; i < rates_.size(); ++i) rates_[i] = out_[i];
    take_multipliers();
    return P(0.0) <= P(0.0);
  }
  Mask<W> solve() {
    const std::size_t n = wide_.n;
    const std::size_t r = wide_.r;
    wide_.mass(numbers(v_), parameters_, numbers(out_), numbers(work_));
    saddle_->load(out_.data());
    const Mask<W> regular = saddle_->eliminate();
    saddle_->solve(saddle_->right(), right_.data());
    for (std::size_t i = 0; i < n; ++i) rates_[i] = out_[i];
    for (std::size_t a = 0; a < r; ++a) rates_[n + a] = right_[a];
    rates_[n + r] = out_[n];
    for (std::size_t A = 0; A < wide_.m; ++A) rates_[base_ + A] = right_[r + A];
    take_multipliers();
    wide_.balance(numbers(v_), parameters_, numbers(balance_), numbers(work_));
    return regular;
  }
  void take_multipliers() {
    if (wide_.differential()) return;
    for (std::size_t k = 0; k < wide_.m; ++k) v_[base_ + 1 + k] = rates_[base_ + k];
  }

  const Dynamics& wide_;
  const double* parameters_;
  std::size_t base_;
  std::size_t dimension_;
  std::vector<P> v_;
  std::vector<P> out_;
  std::vector<P> rates_;
  std::vector<P> right_;
  std::vector<P> balance_;
  std::vector<P> work_;
  std::vector<P> scales_;
  std::optional<SaddleSystem<P>> saddle_;
};

template <int W>
void follow_adaptive(const Dynamics& wide, const AdaptiveLanes& how, LaneFeed& traffic) {
  AdaptiveInLanes<W, LaneMotion<W>, EmbeddedStep<Pack<W>>>(wide, how, traffic)();
}
template void follow_adaptive<HERGLOTZ_WIDTH>(const Dynamics& wide, const AdaptiveLanes& how, LaneFeed& traffic);

}  // namespace herglotz::integrate
