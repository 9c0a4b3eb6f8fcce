#pragma once
/// Many steps of a composition method per call.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "herglotz/kernel/kernel.hpp"

namespace herglotz::kernel {

/// Loop that repeats u <- u + f(u, t, h, constants) with compensated sums, substep after substep, on `lanes`
/// independent copies. Arrays are lane-minor, as in a Kernel. A loop is copyable, immutable and thread-safe.
class StepLoop {
 public:
  /// Steps k = first, .., first + count - 1 from the times t0 + k h (t0 itself for k = 0).
  struct Steps {
    double t0 = 0;
    double h = 0;
    std::size_t first = 0;
    std::size_t count = 0;
    std::size_t substeps = 0;  ///< the substeps of a step
  };
  using Entry = void (*)(const void* context, double* state, const double* p, const double* substeps,
                         const Steps* steps);

  StepLoop() = default;
  StepLoop(Entry entry, std::shared_ptr<const void> context, std::size_t sums, std::size_t constants, int lanes)
      : entry_(entry), context_(std::move(context)), sums_(sums), constants_(constants), lanes_(lanes) {}

  /// Returns the number of entries of u: the variables of f, then sums on which f does not depend.
  [[nodiscard]] std::size_t sums() const { return sums_; }
  [[nodiscard]] std::size_t constants() const { return constants_; }
  [[nodiscard]] int lanes() const { return lanes_; }
  explicit operator bool() const { return entry_ != nullptr; }

  /// Takes the steps. `state` has u (sums), then the low-order parts that its sums lost (sums). `substeps` has for each
  /// substep the time from the start of the step, its size, and its constants.
  void operator()(double* state, const double* p, const double* substeps, const Steps& steps) const {
    entry_(context_.get(), state, p, substeps, &steps);
  }

 private:
  Entry entry_ = nullptr;
  std::shared_ptr<const void> context_;
  std::size_t sums_ = 0;
  std::size_t constants_ = 0;
  int lanes_ = 1;
};

/// Makes the loop around a kernel. Its variables are (u without the last `unread` sums, t, h, constants); its outputs
/// are the increments of u.
StepLoop loop_around(Kernel step, std::size_t unread);

}  // namespace herglotz::kernel
