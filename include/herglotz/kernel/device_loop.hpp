#pragma once
/// Many steps of an explicit Runge-Kutta method per call, with one run in each thread of a device.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "herglotz/kernel/loop_entries.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"

namespace herglotz::kernel {

/// States and parameters of a group of runs in the memory of a device. Row i of run k is entry i width() + k of an
/// array, with the rows and the width of the loop that made the group. One thread at a time uses a group. Every member
/// throws Failed if the device fails.
class DeviceRuns {
 public:
  virtual ~DeviceRuns() = default;
  /// Copies the states and the parameters of all runs to the device.
  virtual void write(std::span<const double> state, std::span<const double> parameters) = 0;
  /// Takes the steps with all runs.
  virtual void advance(const RungeKuttaLoop::Steps& steps) = 0;
  /// Copies the states of all runs back.
  virtual void read(std::span<double> state) = 0;
};

/// Loop over steps of one size on a device. It does bit for bit what a RungeKuttaLoop does, with the same rows, except
/// that it counts a run as unsound if it needs a function that the device does not have. A loop is copyable, immutable
/// and thread-safe.
class DeviceLoop {
 public:
  using MakeRuns = std::function<std::unique_ptr<DeviceRuns>()>;

  DeviceLoop() = default;
  DeviceLoop(MakeRuns make, const LoopEntries& entries, std::size_t parameters, std::size_t width)
      : make_(std::move(make)), entries_(entries), parameters_(parameters), width_(width) {}

  [[nodiscard]] const LoopEntries& entries() const { return entries_; }
  /// Returns the number of rows of a run: y, the parts that its sums lost, then the number of unsound steps.
  [[nodiscard]] std::size_t rows() const { return unsound() + 1; }
  [[nodiscard]] std::size_t unsound() const { return 2 * entries_.size(); }
  [[nodiscard]] std::size_t parameters() const { return parameters_; }
  /// Returns the number of runs of a group.
  [[nodiscard]] std::size_t width() const { return width_; }
  explicit operator bool() const { return make_ != nullptr; }

  /// Allocates a group. Throws Failed if the device has no memory for it.
  [[nodiscard]] std::unique_ptr<DeviceRuns> runs() const { return make_(); }

 private:
  MakeRuns make_;
  LoopEntries entries_;
  std::size_t parameters_ = 0;
  std::size_t width_ = 0;
};

}  // namespace herglotz::kernel
