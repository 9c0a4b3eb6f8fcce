#pragma once
/// Adaptive steps in lanes: every lane has its own time and step, and takes the next run when it arrives.

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "drive/lane_feed.hpp"
#include "numerics/pack.hpp"

namespace herglotz::integrate {

/// Driver of adaptive steps in W lanes. `Motion` computes the rates in lanes, and `Step` makes the steps. If
/// `Step::dense`, samples inside a step come from its polynomial; otherwise steps end at the samples.
template <int W, class Motion, class Step>
class AdaptiveInLanes {
 public:
  using P = Pack<W>;

  AdaptiveInLanes(const Dynamics& wide, const AdaptiveLanes& how, LaneFeed& traffic)
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
      const auto attempt = steps_.attempt(motion_, Step::dense ? P(how_.t_end) : due_);
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
      steps_.set(lane, t, numbers(), traffic_.sizes(lane));
      tiny_[at(lane)] = 0;
      if (!traffic_.arrive(lane, t, numbers())) continue;
      due_.set(lane, traffic_.due(lane));
      return;
    }
    idle(lane);
  }

  /// Marks a lane as empty. It repeats the state of another lane, so that it computes numbers that are defined.
  void idle(int lane) {
    busy_[at(lane)] = false;
    for (int other = 0; other < W; ++other) {
      if (!busy_[at(other)]) continue;
      copy(other);
      steps_.set(lane, steps_.t()[other], numbers(), {});
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
    if (!traffic_.count(lane, 1, t)) return drop(lane);
    if (how_.constrained) {
      copy(lane);
      if (!traffic_.project(lane, t, numbers())) return drop(lane);
      steps_.replace(lane, numbers());
    }
    const double size = steps_.last()[lane];
    const bool tiny = (size < 0 ? -size : size) < 4 * std::numeric_limits<double>::epsilon() * (t < 0 ? -t : t);
    tiny_[at(lane)] = tiny && t != stop_of(lane) ? tiny_[at(lane)] + 1 : 0;
    if (tiny_[at(lane)] > most_tiny_steps) return drop(lane);
    if constexpr (Step::dense)
      if (!show_inside(lane, t)) return;
    if (t != due_[lane]) return;
    copy(lane);
    if (traffic_.arrive(lane, t, numbers()))
      due_.set(lane, traffic_.due(lane));
    else
      refill(lane);
  }
  /// Emits the samples inside the last step. Returns false if the lane has left its run.
  bool show_inside(int lane, double t) {
    const double direction = how_.t_end < t - steps_.last()[lane] ? -1 : 1;
    while (direction * (t - due_[lane]) > 0) {
      const double due = due_[lane];
      steps_.between(lane, due, numbers());
      if (how_.constrained && !traffic_.project(lane, due, numbers())) {
        drop(lane);
        return false;
      }
      if (!traffic_.arrive(lane, due, numbers())) {
        refill(lane);
        return false;
      }
      due_.set(lane, traffic_.due(lane));
    }
    return true;
  }

  [[nodiscard]] double stop_of(int lane) const { return Step::dense ? how_.t_end : due_[lane]; }
  void copy(int lane) {
    for (std::size_t i = 0; i < steps_.size(); ++i) numbers()[i] = steps_.y()[i][lane];
  }
  double* numbers() { return reinterpret_cast<double*>(y_.data()); }

  const AdaptiveLanes& how_;
  LaneFeed& traffic_;
  Motion motion_;
  Step steps_;
  P due_{};
  std::array<bool, W> busy_{};
  std::array<int, W> tiny_{};
  std::vector<P> y_;  // room for the numbers of one lane
};

}  // namespace herglotz::integrate
