#pragma once
/// Many steps of one size per call, with one run in each thread of a device.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>

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
  /// Takes the steps with the first `count` runs at least.
  virtual void advance(const RungeKuttaLoop::Steps& steps, std::size_t count) = 0;
  /// Copies the states of all runs back.
  virtual void read(std::span<double> state) = 0;
};

/// Loop over steps of one size on a device. Bit for bit it does what a RungeKuttaLoop or a StepLoop does, with the same
/// rows and one more, but it counts a run as unsound if it needs a function that the device does not have. The loop of
/// a composition has more parameters: those of the system, then for each substep its time from the start of the step,
/// its size, and its constants. A loop is copyable, immutable and thread-safe.
class DeviceLoop {
 public:
  using MakeRuns = std::function<std::unique_ptr<DeviceRuns>()>;

  DeviceLoop() = default;
  DeviceLoop(MakeRuns make, std::size_t sums, std::size_t parameters, std::size_t width)
      : make_(std::move(make)), sums_(sums), parameters_(parameters), width_(width) {}

  [[nodiscard]] std::size_t sums() const { return sums_; }
  /// Returns the number of rows of a run: its sums, the parts that they lost, the number of unsound steps, then the
  /// number of steps that the device has taken, which tells a device that does nothing.
  [[nodiscard]] std::size_t rows() const { return taken() + 1; }
  [[nodiscard]] std::size_t unsound() const { return 2 * sums_; }
  [[nodiscard]] std::size_t taken() const { return unsound() + 1; }
  [[nodiscard]] std::size_t parameters() const { return parameters_; }
  /// Returns the number of runs of a group.
  [[nodiscard]] std::size_t width() const { return width_; }
  explicit operator bool() const { return make_ != nullptr; }

  /// Allocates a group. Throws Failed if the device has no memory for it.
  [[nodiscard]] std::unique_ptr<DeviceRuns> runs() const { return make_(); }

 private:
  MakeRuns make_;
  std::size_t sums_ = 0;
  std::size_t parameters_ = 0;
  std::size_t width_ = 0;
};

}  // namespace herglotz::kernel
