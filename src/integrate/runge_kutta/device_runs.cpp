#include "herglotz/integrate/device_runs.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "drive/adaptive_traffic.hpp"
#include "drive/lane_groups.hpp"
#include "motion/right_side.hpp"
#include "runge_kutta/lanes_loop.hpp"
#include "runge_kutta/packed_state.hpp"

namespace herglotz::integrate {
namespace {

/// Set of many lanes.
class ManyLanes {
 public:
  explicit ManyLanes(std::size_t lanes) : contains_(lanes, 0) {}
  [[nodiscard]] bool contains(std::size_t lane) const { return contains_[lane] != 0; }
  void insert(std::size_t lane) { contains_[lane] = 1; }
  void erase(std::size_t lane) { contains_[lane] = 0; }
  [[nodiscard]] bool empty() const { return std::find(contains_.begin(), contains_.end(), 1) == contains_.end(); }
  [[nodiscard]] bool within(const ManyLanes& other) const {
    return std::equal(contains_.begin(), contains_.end(), other.contains_.begin(),
                      [](char here, char there) { return here <= there; });
  }

 private:
  std::vector<char> contains_;
};

/// Steps of a group of runs on a device; see LaneStepper. The states are here too, so that they can be shown.
class DeviceSteps {
 public:
  using Set = ManyLanes;

  DeviceSteps(const Dynamics& dynamics, const DeviceMotion& device, const double* parameters)
      : dynamics_(&dynamics),
        device_(&device),
        parameters_(parameters),
        width_(device.loop.width()),
        entries_(width_, MotionEntries(dynamics, device.motion)),
        state_(device.loop.rows() * width_),
        y_(dynamics.dimension() + 1 + dynamics.laws),
        on_device_(device.loop.runs()) {}

  void clear() { std::fill(state_.begin(), state_.end(), 0.0); }

  bool start(std::size_t at, std::span<const double> parameters, double t0, std::span<const double> state) {
    written_ = false;
    if (!device_->motion.kept.empty()) {
      entries_[at].pack(state.data(), &state_[at], width_);
      return true;
    }
    RightSide right_side(*dynamics_, parameters);
    right_side.initial(t0, state, y_.data());
    entries_[at].start(t0, y_, right_side.dissipation());
    entries_[at].pack(y_.data(), &state_[at], width_);
    return true;
  }

  Set advance(double t0, double h, std::size_t first, std::size_t count, const Set& lanes) {
    if (!written_) {
      const std::span<const double> parameters(parameters_, device_->loop.parameters() * width_);
      on_device_->write(state_, parameters);
      written_ = true;
    }
    on_device_->advance({t0, h, first, count});
    on_device_->read(state_);
    return sound(lanes);
  }

  [[nodiscard]] Set show(double /*t*/, const Set& lanes) const { return lanes; }

  void sample(std::size_t at, double t, Sample& sample) {
    entries_[at].unpack(t, &state_[at], width_, y_.data());
    sample.t = t;
    auto from = y_.begin();
    std::copy_n(from, sample.state.size(), sample.state.begin());
    from += static_cast<std::ptrdiff_t>(dynamics_->dimension());
    sample.log_factor = *from;
    std::copy_n(from + 1, sample.budget.size(), sample.budget.begin());
  }

  [[nodiscard]] std::unique_ptr<DeviceSteps> copy() const {
    return std::make_unique<DeviceSteps>(*dynamics_, *device_, parameters_);
  }
  void follow(const DeviceSteps& other) {
    entries_ = other.entries_;
    state_ = other.state_;
    written_ = false;
  }

 private:
  /// Returns the lanes among these in which all numbers are finite and the motion was defined.
  [[nodiscard]] Set sound(Set lanes) const {
    for (std::size_t at = 0; at < width_; ++at) {
      if (!lanes.contains(at)) continue;
      double zero = 0;
      for (std::size_t e = 0; e < device_->loop.entries().size(); ++e) zero += state_[e * width_ + at] * 0;
      if (zero != 0 || state_[device_->loop.unsound() * width_ + at] != 0) lanes.erase(at);
    }
    return lanes;
  }

  const Dynamics* dynamics_;
  const DeviceMotion* device_;
  const double* parameters_;
  std::size_t width_;
  std::vector<MotionEntries> entries_;
  std::vector<double> state_;  // rows of the loop
  std::vector<double> y_;      // of one lane
  std::unique_ptr<kernel::DeviceRuns> on_device_;
  bool written_ = false;  // whether the device has these states
};

}  // namespace

bool integrate_on_device(const Dynamics& dynamics, const DeviceMotion& device, const Settings& settings,
                         const LaneRuns& runs) {
  if (device.motion.adaptive) {
    const kernel::AdaptiveLoop& loop = device.motion.adaptive;
    AdaptiveTraffic traffic(dynamics, loop.lanes(), loop.parameters(), settings, runs);
    follow_loop(dynamics, device.motion, settings, traffic);
    return !traffic.stopped();
  }
  const auto make = [&](const double* parameters) {
    return std::make_unique<DeviceSteps>(dynamics, device, parameters);
  };
  return LaneGroups<DeviceSteps>(dynamics, device.loop.width(), device.loop.parameters(), make, settings, runs)();
}

}  // namespace herglotz::integrate
