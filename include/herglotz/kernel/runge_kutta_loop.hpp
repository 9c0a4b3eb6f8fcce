#pragma once
/// Many steps of an explicit Runge-Kutta method per call, all lanes at the same times.

#include <cstddef>

#include "herglotz/kernel/compiled_loop.hpp"

namespace herglotz::kernel {

/// Steps k = first, .., first + count - 1 of a RungeKuttaLoop, from the times t0 + k h (t0 itself for k = 0).
struct RungeKuttaSteps {
  double t0 = 0;
  double h = 0;
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Loop over steps of y' = f(t, y) of one size, with compensated sums.
class RungeKuttaLoop : public CompiledLoop<RungeKuttaSteps> {
 public:
  using Steps = RungeKuttaSteps;
  using CompiledLoop::CompiledLoop;

  /// Returns the number of rows of the state: y, the parts that its sums lost, then the number of steps that started
  /// with checks of y' that were not sound.
  [[nodiscard]] std::size_t rows() const { return 2 * entries().size() + 1; }
  [[nodiscard]] std::size_t lost(std::size_t e) const { return entries().size() + e; }
  [[nodiscard]] std::size_t unsound() const { return 2 * entries().size(); }
};

}  // namespace herglotz::kernel
