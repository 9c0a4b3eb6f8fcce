#pragma once
/// The adaptive explicit method in lanes: every lane has its own time and step, and takes the next run when it arrives.

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "drive/lane_feed.hpp"
#include "numerics/lane_elimination.hpp"
#include "runge_kutta/embedded_step.hpp"

namespace herglotz::integrate {

/// What RightSide is, in lanes.
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
    if (!wide.flow) saddle_.resize(wide.r + wide.m);
  }

  Mask<W> operator()(P t, const P* y, P* y_dot) {
    for (std::size_t i = 0; i < base_; ++i) v_[i] = y[i];
    v_[base_] = t;
    if (wide_.differential())
      for (std::size_t k = 0; k < wide_.m; ++k) v_[base_ + 1 + k] = y[base_ + k];
    Mask<W> fine = wide_.flow ? flow() : solve();
    for (std::size_t i = 0; i < dimension_; ++i) y_dot[i] = rates_[i];
    const P L_z = wide_.flow ? out_[rates_.size()] : balance_[0];
    y_dot[dimension_] = -L_z;
    for (std::size_t k = 0; k < wide_.laws; ++k) {
      const P source = wide_.flow ? out_[rates_.size() + 1 + k] : balance_[3 + 3 * k];
      y_dot[dimension_ + 1 + k] = L_z * y[dimension_ + 1 + k] + source;
    }
    P zero(0.0);
    for (std::size_t i = 0; i < dimension_ + 1 + wide_.laws; ++i) zero += y_dot[i] * P(0.0);
    return fine & is_finite(zero);
  }
  /// At the state of the last call.
  const P* law_scales() {
    wide_.balance(numbers(v_), parameters_, numbers(balance_), numbers(work_));
    for (std::size_t k = 0; k < wide_.laws; ++k) scales_[k] = magnitude(balance_[2 + 3 * k]);
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
    load_saddle(wide_, out_.data() + n + 1, saddle_, right_.data());
    const Mask<W> regular = saddle_.compute();
    saddle_.solve(right_.data());
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
  LaneElimination<P> saddle_;
};

template <int W>
class AdaptiveInLanes {
 public:
  using P = Pack<W>;

  AdaptiveInLanes(const Dynamics& wide, const AdaptiveLanes& how, LaneTraffic& traffic)
      : how_(how),
        traffic_(traffic),
        motion_(wide, traffic.parameters()),
        steps_(how.control),
        y_(how.control.size()) {}

  void operator()() {
    for (int lane = 0; lane < W; ++lane) refill(lane);
    while (!traffic_.stopped() && occupied()) {
      const Mask<W> defined = steps_.prepare(motion_, P(how_.t_end));
      bool refilled = false;
      for (int lane = 0; lane < W; ++lane) {
        if (!busy_[at(lane)] || defined[lane]) continue;
        drop(lane);
        refilled = true;
      }
      if (refilled) continue;
      const auto attempt = steps_.attempt(motion_, due_);
      for (int lane = 0; lane < W; ++lane) {
        if (!busy_[at(lane)]) continue;
        if (attempt.accepted[lane])
          advance(lane);
        else if (attempt.stuck[lane])
          drop(lane);
      }
    }
  }

 private:
  static constexpr int most_tiny_steps = 20;

  static std::size_t at(int lane) { return static_cast<std::size_t>(lane); }
  [[nodiscard]] bool occupied() const {
    bool some = false;
    for (int lane = 0; lane < W; ++lane) some = some || busy_[at(lane)];
    return some;
  }

  void refill(int lane) {
    while (!traffic_.stopped()) {
      double t = 0;
      busy_[at(lane)] = traffic_.fill(lane, t, numbers());
      if (!busy_[at(lane)]) return idle(lane);
      steps_.set(lane, t, numbers());
      tiny_[at(lane)] = 0;
      if (!traffic_.arrive(lane, t, numbers())) continue;
      due_.set(lane, traffic_.due(lane));
      return;
    }
    idle(lane);
  }

  /// A lane without a run stays where nothing happens: it repeats the start of another lane.
  void idle(int lane) {
    busy_[at(lane)] = false;
    for (int other = 0; other < W; ++other) {
      if (!busy_[at(other)]) continue;
      copy(other);
      steps_.set(lane, steps_.t()[other], numbers());
      due_.set(lane, due_[other]);
      return;
    }
  }

  void drop(int lane) {
    traffic_.eject(lane);
    refill(lane);
  }

  void advance(int lane) {
    const double t = steps_.t()[lane];
    traffic_.count(lane, 1);
    if (how_.constrained) {
      copy(lane);
      if (!traffic_.project(lane, t, numbers())) return drop(lane);
      steps_.replace(lane, numbers());
    }
    const double size = steps_.last()[lane];
    const bool tiny = (size < 0 ? -size : size) < 4 * std::numeric_limits<double>::epsilon() * (t < 0 ? -t : t);
    tiny_[at(lane)] = tiny && t != due_[lane] ? tiny_[at(lane)] + 1 : 0;
    if (tiny_[at(lane)] > most_tiny_steps) return drop(lane);
    if (t != due_[lane]) return;
    copy(lane);
    if (traffic_.arrive(lane, t, numbers()))
      due_.set(lane, traffic_.due(lane));
    else
      refill(lane);
  }

  void copy(int lane) {
    for (std::size_t i = 0; i < steps_.size(); ++i) numbers()[i] = steps_.y()[i][lane];
  }
  double* numbers() { return reinterpret_cast<double*>(y_.data()); }

  const AdaptiveLanes& how_;
  LaneTraffic& traffic_;
  LaneMotion<W> motion_;
  EmbeddedStep<P> steps_;
  P due_{};
  std::array<bool, W> busy_{};
  std::array<int, W> tiny_{};
  std::vector<P> y_;  // room for the numbers of one lane
};

}  // namespace herglotz::integrate
