#pragma once
/// Many steps of an explicit Runge-Kutta method per call, all lanes at the same times.

#include <cstddef>
#include <memory>
#include <utility>

#include "herglotz/kernel/loop_entries.hpp"

namespace herglotz::kernel {

/// Loop over steps of y' = f(t, y) of one size, with compensated sums. A loop is copyable, immutable and thread-safe.
class RungeKuttaLoop {
 public:
  /// Steps k = first, .., first + count - 1 from the times t0 + k h (t0 itself for k = 0).
  struct Steps {
    double t0 = 0;
    double h = 0;
    std::size_t first = 0;
    std::size_t count = 0;
  };
  using Entry = void (*)(const void* context, double* state, const double* p, const Steps* steps, double* work);

  RungeKuttaLoop() = default;
  RungeKuttaLoop(Entry entry, std::shared_ptr<const void> context, const StateLayout& entries, std::size_t parameters,
                 std::size_t work_size, int lanes)
      : entry_(entry),
        context_(std::move(context)),
        entries_(entries),
        parameters_(parameters),
        work_size_(work_size),
        lanes_(lanes) {}

  [[nodiscard]] const StateLayout& entries() const { return entries_; }
  /// Returns the number of rows of the state: y, the parts that its sums lost, then the number of steps that started
  /// with checks of y' that were not sound.
  [[nodiscard]] std::size_t rows() const { return 2 * entries_.size() + 1; }
  [[nodiscard]] std::size_t lost(std::size_t e) const { return entries_.size() + e; }
  [[nodiscard]] std::size_t unsound() const { return 2 * entries_.size(); }
  [[nodiscard]] std::size_t parameters() const { return parameters_; }
  /// Returns the number of doubles of scratch that a call needs (all lanes together).
  [[nodiscard]] std::size_t work_size() const { return work_size_; }
  [[nodiscard]] int lanes() const { return lanes_; }
  explicit operator bool() const { return entry_ != nullptr; }

  /// Takes the steps. `state` has rows() rows; row i of lane k is entry i lanes() + k.
  void operator()(double* state, const double* p, const Steps& steps, double* work) const {
    entry_(context_.get(), state, p, &steps, work);
  }

 private:
  Entry entry_ = nullptr;
  std::shared_ptr<const void> context_;
  StateLayout entries_;
  std::size_t parameters_ = 0;
  std::size_t work_size_ = 0;
  int lanes_ = 1;
};

}  // namespace herglotz::kernel
