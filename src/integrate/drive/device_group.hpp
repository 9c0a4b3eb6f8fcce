#pragma once
/// A group of runs on a device, and the sets of its runs.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "herglotz/kernel/device_loop.hpp"

namespace herglotz::integrate {

/// Set of many lanes.
class ManyLanes {
 public:
  explicit ManyLanes(std::size_t lanes) : contains_(lanes, 0) {}
  [[nodiscard]] bool contains(std::size_t lane) const { return contains_[lane] != 0; }
  void insert(std::size_t lane) { contains_[lane] = 1; }
  void erase(std::size_t lane) { contains_[lane] = 0; }
  [[nodiscard]] bool empty() const { return count() == 0; }
  [[nodiscard]] bool within(const ManyLanes& other) const;
  /// Returns the number of lanes up to the last one of the set.
  [[nodiscard]] std::size_t count() const;

 private:
  std::vector<char> contains_;
};

/// States of runs in the memory of a device, and a copy of them here, which can be shown. Lanes that are left out may
/// be in any state.
class DeviceGroup {
 public:
  explicit DeviceGroup(const kernel::DeviceLoop& loop);

  [[nodiscard]] std::size_t width() const { return loop_->width(); }
  [[nodiscard]] const kernel::DeviceLoop& loop() const { return *loop_; }
  void clear();
  /// Returns the copy of a row of a run. Whoever changes it calls changed().
  double& at(std::size_t row, std::size_t run) { return state_[row * width() + run]; }
  [[nodiscard]] double at(std::size_t row, std::size_t run) const { return state_[row * width() + run]; }
  double* state() { return state_.data(); }
  void changed() { written_ = false; }

  /// Takes the steps. Returns the lanes among these in which all sums are finite and no step was unsound. Throws Failed
  /// if the device did not take the steps of such a lane.
  ManyLanes advance(const kernel::RungeKuttaLoop::Steps& steps, std::span<const double> parameters, ManyLanes lanes);
  /// Takes over the states of another group.
  void follow(const DeviceGroup& other);

 private:
  const kernel::DeviceLoop* loop_;
  std::vector<double> state_;   // rows of the loop
  std::vector<double> before_;  // steps that the device had taken before a call
  std::unique_ptr<kernel::DeviceRuns> runs_;
  bool written_ = false;  // whether the device has these states
};

}  // namespace herglotz::integrate
