#include "drive/device_group.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "herglotz/error.hpp"

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
    : loop_(&loop), state_(loop.rows() * loop.width()), before_(loop.width()), runs_(loop.runs()) {}

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
  const auto first_taken = state_.begin() + static_cast<std::ptrdiff_t>(loop_->taken() * width());
  std::copy_n(first_taken, count, before_.begin());
  runs_->advance(steps, count);
  runs_->read(state_);
  std::size_t asked = 0;
  std::size_t idle = 0;
  for (std::size_t run = 0; run < count; ++run) {
    if (!lanes.contains(run)) continue;
    ++asked;
    double zero = 0;
    for (std::size_t sum = 0; sum < loop_->sums(); ++sum) zero += at(sum, run) * 0;
    if (zero != 0 || at(loop_->unsound(), run) != 0) {
      lanes.erase(run);  // the processor runs it again, whatever the device did
    } else if (at(loop_->taken(), run) != before_[run] + static_cast<double>(steps.count)) {
      ++idle;
    }
  }
  if (idle > 0)
    throw Failed(
        fmt::format("the device did not take the {} steps it was asked for in {} of {} runs, and reported no error",
                    steps.count, idle, asked));
  return lanes;
}

void DeviceGroup::follow(const DeviceGroup& other) {
  state_ = other.state_;
  changed();
}

}  // namespace herglotz::integrate
