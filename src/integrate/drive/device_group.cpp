#include "drive/device_group.hpp"

#include <algorithm>

namespace herglotz::integrate {

bool ManyLanes::within(const ManyLanes& other) const {
  return std::equal(contains_.begin(), contains_.end(), other.contains_.begin(),
                    [](char here, char there) { return here <= there; });
}

std::size_t ManyLanes::count() const {
  const auto last = std::find(contains_.rbegin(), contains_.rend(), 1);
  return static_cast<std::size_t>(contains_.rend() - last);
}

DeviceGroup::DeviceGroup(const kernel::DeviceLoop& loop)
    : loop_(&loop), state_(loop.rows() * loop.width()), runs_(loop.runs()) {}

void DeviceGroup::clear() {
  std::fill(state_.begin(), state_.end(), 0.0);
  changed();
}

ManyLanes DeviceGroup::advance(const kernel::RungeKuttaLoop::Steps& steps, std::span<const double> parameters,
                               ManyLanes lanes) {
  const std::size_t count = lanes.count();
  if (count == 0) return lanes;
  if (!written_) {
    runs_->write(state_, parameters);
    written_ = true;
  }
  runs_->advance(steps, count);
  runs_->read(state_);
  for (std::size_t run = 0; run < count; ++run) {
    if (!lanes.contains(run)) continue;
    double zero = 0;
    for (std::size_t sum = 0; sum < loop_->sums(); ++sum) zero += at(sum, run) * 0;
    if (zero != 0 || at(loop_->unsound(), run) != 0) lanes.erase(run);
  }
  return lanes;
}

void DeviceGroup::follow(const DeviceGroup& other) {
  state_ = other.state_;
  changed();
}

}  // namespace herglotz::integrate
