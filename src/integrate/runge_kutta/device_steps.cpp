#include "runge_kutta/device_steps.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "drive/adaptive_feed.hpp"
#include "drive/device_group.hpp"
#include "drive/lane_groups.hpp"
#include "motion/fill_sample.hpp"
#include "motion/right_side.hpp"
#include "runge_kutta/lanes_loop.hpp"
#include "runge_kutta/packed_state.hpp"

namespace herglotz::integrate {
namespace {

/// Steps of a group of runs on a device; see LaneStepper.
class DeviceSteps {
 public:
  using Set = ManyLanes;

  DeviceSteps(const Dynamics& dynamics, const DeviceMotion& device, const double* parameters)
      : dynamics_(&dynamics),
        device_(&device),
        parameters_(parameters, device.loop.parameters() * device.loop.width()),
        entries_(device.loop.width(), PackedState(dynamics, device.motion)),
        y_(dynamics.dimension() + 1 + dynamics.laws),
        group_(device.loop) {}

  void clear() { group_.clear(); }

  bool start(std::size_t at, std::span<const double> parameters, double t0, std::span<const double> state) {
    group_.changed();
    if (!device_->motion.kept.empty()) {
      entries_[at].pack(state.data(), group_.state() + at, group_.width());
      return true;
    }
    RightSide right_side(*dynamics_, parameters);
    right_side.initial(t0, state, y_.data());
    entries_[at].start(t0, y_, right_side.dissipation());
    entries_[at].pack(y_.data(), group_.state() + at, group_.width());
    return true;
  }

  Set advance(double t0, double h, std::size_t first, std::size_t count, const Set& lanes) {
    return group_.advance({t0, h, first, count}, parameters_, lanes);
  }

  [[nodiscard]] Set show(double /*t*/, const Set& lanes) const { return lanes; }

  void sample(std::size_t at, double t, Sample& sample) {
    entries_[at].unpack(t, group_.state() + at, group_.width(), y_.data());
    fill_sample(sample, t, y_, y_.data() + dynamics_->dimension());
  }

  [[nodiscard]] std::unique_ptr<DeviceSteps> copy() const {
    return std::make_unique<DeviceSteps>(*dynamics_, *device_, parameters_.data());
  }
  void follow(const DeviceSteps& other) {
    entries_ = other.entries_;
    group_.follow(other.group_);
  }

 private:
  const Dynamics* dynamics_;
  const DeviceMotion* device_;
  std::span<const double> parameters_;
  std::vector<PackedState> entries_;
  std::vector<double> y_;  // of one lane
  DeviceGroup group_;
};

}  // namespace

bool stepped_on_device(const DeviceProblem& problem) {
  const kernel::DeviceLoop& loop = problem.device.loop;
  const auto make = [&](const double* parameters) {
    return std::make_unique<DeviceSteps>(problem.dynamics, problem.device, parameters);
  };
  return LaneGroups<DeviceSteps>(problem.dynamics, loop.width(), loop.parameters(), make, problem.settings,
                                 problem.runs)();
}

bool adaptive_on_device(const DeviceProblem& problem) {
  const kernel::AdaptiveLoop& loop = problem.device.motion.adaptive;
  AdaptiveFeed traffic(problem.dynamics, loop.lanes(), loop.parameters(), problem.settings, problem.runs);
  follow_loop(problem.dynamics, problem.device.motion, problem.settings, traffic);
  return !traffic.stopped();
}

}  // namespace herglotz::integrate
