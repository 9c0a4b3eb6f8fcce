#pragma once
/// Traffic of runs through the lanes of an adaptive method: it fills the lanes and emits the samples.

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "drive/error_control.hpp"
#include "drive/lane_feed.hpp"
#include "drive/rest.hpp"
#include "drive/schedule.hpp"
#include "herglotz/integrate/lane_samples.hpp"
#include "herglotz/integrate/lanes.hpp"
#include "motion/fill_sample.hpp"
#include "motion/right_side.hpp"
#include "numerics/pace.hpp"

namespace herglotz::integrate {

/// Traffic that fills lanes from LaneRuns, each lane with its own time, and emits the samples of its run.
class AdaptiveFeed final : public LaneFeed {
 public:
  AdaptiveFeed(const Dynamics& dynamics, int lanes, std::size_t parameters, const Settings& settings,
               const LaneRuns& runs)
      : dynamics_(dynamics),
        settings_(settings),
        control_(error_control(dynamics, settings.tolerance)),
        runs_(runs),
        parameters_(parameters * static_cast<std::size_t>(lanes)) {
    lanes_.reserve(static_cast<std::size_t>(lanes));
    for (int lane = 0; lane < lanes; ++lane) lanes_.emplace_back(dynamics, parameters);
    sample_.state.resize(dynamics.dimension());
    sample_.budget.resize(dynamics.laws);
  }

  [[nodiscard]] const double* parameters() const override { return parameters_.data(); }
  [[nodiscard]] bool stopped() const override { return stopped_; }
  bool proceed() override {
    stopped_ = stopped_ || (runs_.proceed && !runs_.proceed());
    return !stopped_;
  }

  bool fill(int lane, double& t, double* y) override {
    Lane& run = at(lane);
    if (!runs_.next(run.number, run.parameters, t, run.state)) return false;
    for (std::size_t k = 0; k < run.parameters.size(); ++k)
      parameters_[k * lanes_.size() + static_cast<std::size_t>(lane)] = run.parameters[k];
    // A run without constraints leaves no state behind, so its object is reused.
    if (!run.right_side || dynamics_.m > 0) run.right_side.emplace(dynamics_, run.parameters);
    run.right_side->initial(t, run.state, y);
    start_.assign(y, y + run.right_side->size());
    run.sizes = sizes_soon(control_, *run.right_side, t, settings_.t_end, start_);
    run.steps = 0;
    run.pace.emplace(t);
    run.started = false;
    run.times.emplace(t, settings_.t_end, settings_.schedule);
    return true;
  }
  [[nodiscard]] double due(int lane) const override { return lanes_[static_cast<std::size_t>(lane)].times->next(); }
  bool arrive(int lane, double t, const double* y) override {
    Lane& run = at(lane);
    fill_sample(sample_, t, y, y + dynamics_.dimension());
    if (!run.right_side->multipliers(t, y, sample_.multipliers)) {
      eject(lane);
      return false;
    }
    if (!runs_.sample(run.number, sample_)) {
      stopped_ = true;
      return false;
    }
    if (run.started) run.times->pass();
    run.started = true;
    if (t != settings_.t_end) return true;
    runs_.done(run.number, true, run.steps);
    return false;
  }
  bool project(int lane, double t, double* y) override { return at(lane).right_side->project(t, y); }
  [[nodiscard]] std::array<double, ErrorControl::groups> sizes(int lane) const override {
    return lanes_[static_cast<std::size_t>(lane)].sizes;
  }
  [[nodiscard]] double dissipation(int lane) const override {
    return lanes_[static_cast<std::size_t>(lane)].right_side->dissipation();
  }
  bool count(int lane, std::size_t steps, double t) override {
    Lane& run = at(lane);
    run.steps += steps;
    return !run.pace->without_end(run.steps, t, settings_.t_end);
  }
  void eject(int lane) override { runs_.done(at(lane).number, false, at(lane).steps); }

 private:
  struct Lane {
    Lane(const Dynamics& dynamics, std::size_t count) : parameters(count), state(dynamics.dimension()) {}
    std::size_t number = 0;
    std::vector<double> parameters;
    std::vector<double> state;
    std::optional<RightSide> right_side;
    std::array<double, ErrorControl::groups> sizes{};
    std::optional<SampleTimes> times;
    std::size_t steps = 0;
    std::optional<Pace> pace;
    bool started = false;
  };
  Lane& at(int lane) { return lanes_[static_cast<std::size_t>(lane)]; }

  const Dynamics& dynamics_;
  const Settings& settings_;
  ErrorControl control_;
  const LaneRuns& runs_;
  std::vector<double> parameters_;
  std::vector<Lane> lanes_;
  std::vector<double> start_;
  Sample sample_;
  bool stopped_ = false;
};

}  // namespace herglotz::integrate
