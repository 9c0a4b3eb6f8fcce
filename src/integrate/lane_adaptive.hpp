#pragma once
/// The adaptive explicit method in lanes: every lane has its own time and step, and takes the next run when it arrives.

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "embedded_step.hpp"
#include "lane_traffic.hpp"

namespace herglotz::integrate {

/// What RightSide is, in lanes; for systems with a flow kernel.
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
        out_(wide.flow.outputs()),
        laws_(out_.data() + wide.n + wide.r + 1 + wide.m),
        balance_(wide.balance.outputs()),
        work_((wide.flow.work_size() > wide.balance.work_size() ? wide.flow.work_size() : wide.balance.work_size()) /
                  W +
              1),
        scales_(wide.laws + 1) {}

  Mask<W> operator()(P t, const P* y, P* y_dot) {
    for (std::size_t i = 0; i < base_; ++i) v_[i] = y[i];
    v_[base_] = t;
    if (wide_.differential())
      for (std::size_t k = 0; k < wide_.m; ++k) v_[base_ + 1 + k] = y[base_ + k];
    wide_.flow(numbers(v_), parameters_, numbers(out_), numbers(work_));
    if (!wide_.differential())
      for (std::size_t k = 0; k < wide_.m; ++k) v_[base_ + 1 + k] = out_[base_ + k];
    for (std::size_t i = 0; i < dimension_; ++i) y_dot[i] = out_[i];
    y_dot[dimension_] = -laws_[0];
    for (std::size_t k = 0; k < wide_.laws; ++k)
      y_dot[dimension_ + 1 + k] = laws_[0] * y[dimension_ + 1 + k] + laws_[1 + k];
    P sum(0.0);
    for (std::size_t i = 0; i < dimension_ + 1 + wide_.laws; ++i) sum += y_dot[i] - y_dot[i];
    return is_finite(sum);
  }
  /// At the state of the last call.
  const P* law_scales() {
    wide_.balance(numbers(v_), parameters_, numbers(balance_), numbers(work_));
    for (std::size_t k = 0; k < wide_.laws; ++k) scales_[k] = magnitude(balance_[2 + 3 * k]);
    return scales_.data();
  }

 private:
  static double* numbers(std::vector<P>& packs) { return reinterpret_cast<double*>(packs.data()); }

  const Dynamics& wide_;
  const double* parameters_;
  std::size_t base_;
  std::size_t dimension_;
  std::vector<P> v_;
  std::vector<P> out_;
  const P* laws_;  // L_z and the sources in it
  std::vector<P> balance_;
  std::vector<P> work_;
  std::vector<P> scales_;
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
    traffic_.count(lane);
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
