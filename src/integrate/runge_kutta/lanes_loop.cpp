#include "runge_kutta/lanes_loop.hpp"

#include <algorithm>
#include <vector>

#include "runge_kutta/loop_solver.hpp"
#include "runge_kutta/packed_state.hpp"

namespace herglotz::integrate {
namespace {

using kernel::LaneState;

class LoopInLanes {
 public:
  LoopInLanes(const Dynamics& dynamics, const CompiledLoops& motion, const Settings& settings, LaneFeed& traffic)
      : loop_(motion.adaptive),
        rows_(loop_.rows()),
        constrained_(dynamics.m > 0),
        traffic_(traffic),
        count_(static_cast<std::size_t>(loop_.lanes())),
        room_(rows_.count() * count_),
        work_(loop_.work_size()),
        y_(dynamics.dimension() + 1 + dynamics.laws),
        runs_(count_, Run{PackedState(dynamics, motion)}) {
    control_ = loop_control(dynamics, settings);
    if (constrained_) control_.tries = 1;
  }

  void operator()() {
    for (std::size_t lane = 0; lane < count_; ++lane) refill(lane);
    while (!traffic_.stopped() && busy_ > 0) {
      // The loop returns as rarely as possible: lanes that have arrived wait for a quarter of the others, or for all of
      // them if no run is left to take their places.
      control_.min_running = static_cast<std::int64_t>(!exhausted_ ? busy_ - (busy_ + 3) / 4 : 0);
      loop_(room_.data(), traffic_.parameters(), control_, work_.data());
      if (!traffic_.proceed()) return;
      for (std::size_t lane = 0; lane < count_; ++lane)
        if (runs_[lane].busy) look_at(lane);
    }
  }

 private:
  struct Run {
    PackedState entries;
    bool busy = false;
    double steps = 0;  // at the last look
  };

  double& at(std::size_t row, std::size_t lane) { return room_[row * count_ + lane]; }
  void set_state(std::size_t lane, LaneState state) { at(rows_.state(), lane) = static_cast<double>(state); }
  void unpack(std::size_t lane) { runs_[lane].entries.unpack(at(rows_.t(), lane), &room_[lane], count_, y_.data()); }
  void pack(std::size_t lane) {
    runs_[lane].entries.pack(y_.data(), &room_[lane], count_);
    for (std::size_t e = 0; e < loop_.entries().size(); ++e) at(rows_.lost(e), lane) = 0;
  }

  void refill(std::size_t lane) {
    Run& run = runs_[lane];
    const int number = static_cast<int>(lane);
    if (run.busy) --busy_;
    run.busy = false;
    set_state(lane, LaneState::arrived);
    double t = 0;
    while (!traffic_.stopped()) {
      if (!traffic_.fill(number, t, y_.data())) {
        exhausted_ = true;
        return;
      }
      run.entries.start(t, y_, traffic_.dissipation(number));
      if (!traffic_.arrive(number, t, y_.data())) continue;
      for (std::size_t row = rows_.t(); row < rows_.count(); ++row) at(row, lane) = 0;
      pack(lane);
      const auto sizes = traffic_.sizes(number);
      for (std::size_t g = 0; g < sizes.size(); ++g) at(rows_.group(g), lane) = sizes[g];
      at(rows_.t(), lane) = t;
      at(rows_.t_stop(), lane) = traffic_.due(number);
      run.steps = 0;
      run.busy = true;
      ++busy_;
      return;
    }
  }

  void look_at(std::size_t lane) {
    Run& run = runs_[lane];
    const auto state = static_cast<LaneState>(static_cast<int>(at(rows_.state(), lane)));
    const double steps = at(rows_.steps(), lane);
    const bool moved = steps > run.steps;
    const auto made = static_cast<std::size_t>(steps - run.steps);
    run.steps = steps;
    if (moved && !traffic_.count(static_cast<int>(lane), made, at(rows_.t(), lane))) return drop(lane);
    if (state != LaneState::running && state != LaneState::arrived) return drop(lane);
    if (constrained_ && moved && !project(lane)) return drop(lane);
    if (state == LaneState::running) return;
    unpack(lane);
    if (!traffic_.arrive(static_cast<int>(lane), at(rows_.t(), lane), y_.data())) return refill(lane);
    at(rows_.t_stop(), lane) = traffic_.due(static_cast<int>(lane));
    // The last sample may be due at the step that uses up the steps, so it is emitted before this check.
    if (steps >= control_.most_steps) return drop(lane);
    set_state(lane, LaneState::running);
  }
  bool project(std::size_t lane) {
    unpack(lane);
    if (!traffic_.project(static_cast<int>(lane), at(rows_.t(), lane), y_.data())) return false;
    pack(lane);
    return true;
  }
  void drop(std::size_t lane) {
    traffic_.eject(static_cast<int>(lane));
    refill(lane);
  }

  const kernel::AdaptiveLoop& loop_;
  kernel::AdaptiveRows rows_;
  bool constrained_;
  LaneFeed& traffic_;
  std::size_t count_;
  kernel::AdaptiveLoop::Control control_;
  std::vector<double> room_;
  std::vector<double> work_;
  std::vector<double> y_;  // the full state of one lane
  std::vector<Run> runs_;
  std::size_t busy_ = 0;
  bool exhausted_ = false;  // there are no more runs
};

}  // namespace

void follow_loop(const Dynamics& dynamics, const CompiledLoops& motion, const Settings& settings, LaneFeed& traffic) {
  LoopInLanes(dynamics, motion, settings, traffic)();
}

}  // namespace herglotz::integrate
