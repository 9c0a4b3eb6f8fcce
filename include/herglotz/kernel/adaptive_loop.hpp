#pragma once
/// Many steps of an embedded Runge-Kutta pair or of Taylor polynomials per call; every lane has its own time and step.

#include <cstddef>
#include <cstdint>

#include "herglotz/kernel/compiled_loop.hpp"

namespace herglotz::kernel {

/// The rows that describe a lane; row i of lane k is entry i lanes() + k of an array.
class AdaptiveRows {
 public:
  explicit AdaptiveRows(const StateLayout& entries)
      : size_(entries.size()), state_size_(entries.bounds[StateLayout::groups]), laws_(entries.laws) {}

  [[nodiscard]] std::size_t y(std::size_t i) const { return i; }
  [[nodiscard]] std::size_t lost(std::size_t i) const { return size_ + i; }  ///< the part that the sum y_i lost
  [[nodiscard]] std::size_t t() const { return 2 * size_; }
  [[nodiscard]] std::size_t h() const { return t() + 1; }         ///< the next step, with its sign; 0: to be chosen
  [[nodiscard]] std::size_t last() const { return t() + 2; }      ///< the last accepted step
  [[nodiscard]] std::size_t t_stop() const { return t() + 3; }    ///< no step passes this time
  [[nodiscard]] std::size_t state() const { return t() + 4; }     ///< a LaneState
  [[nodiscard]] std::size_t rejected() const { return t() + 5; }  ///< 1 if the last try was rejected
  [[nodiscard]] std::size_t tiny() const { return t() + 6; }      ///< tiny steps in a row
  [[nodiscard]] std::size_t steps() const { return t() + 7; }     ///< accepted steps so far
  [[nodiscard]] std::size_t tries() const { return t() + 8; }     ///< accepted and rejected steps so far
  /// Returns the row of the largest value of a group so far; `law` returns the row of the largest term of a law.
  [[nodiscard]] std::size_t group(std::size_t g) const { return t() + 9 + g; }
  [[nodiscard]] std::size_t law(std::size_t k) const { return group(StateLayout::groups) + k; }
  /// Returns the row of the recent size of entry i of the state.
  [[nodiscard]] std::size_t recent_magnitude(std::size_t i) const { return law(laws_) + i; }
  [[nodiscard]] std::size_t count() const { return recent_magnitude(state_size_); }

 private:
  std::size_t size_;
  std::size_t state_size_;
  std::size_t laws_;
};

/// Shares by which every adaptive method weighs errors; see AdaptiveLoop.
struct ErrorShares {
  static constexpr double group = 1e-3;  ///< share of the largest value of a group, or of a term of a law
  static constexpr double state = 1e-6;  ///< share of the largest value in the whole state
  static constexpr double fade = 0.8;    ///< share of the size that a component had a step ago
};

enum class LaneState {
  running,
  arrived,                   ///< the lane reached the time it was asked for
  undefined,                 ///< the motion is not defined here
  step_too_small,            ///< no step is small enough for the tolerance
  step_too_small_undefined,  ///< no step is small enough, and the motion is not defined in the steps tried last
  step_underflow,            ///< many steps in a row were smaller than the resolution of t
  step_limit                 ///< no more steps are allowed
};

/// What one call of an AdaptiveLoop does.
struct AdaptiveControl {
  double local = 0;              ///< the local relative error e that a step may make
  double t_end = 0;              ///< the end of the whole run
  std::int64_t order = 0;        ///< the order of Taylor polynomials, from 2 to AdaptiveLoop::most_order
  double most_steps = 0;         ///< accepted steps after which a lane takes no more
  std::int64_t min_running = 0;  ///< the loop returns when no more than `min_running` lanes are running
  std::int64_t tries = 0;        ///< the loop returns after `tries` steps, accepted or not; 0: no limit
};

/// Loop over steps of y' = f(t, y). The local error of y_i is divided by e (s_i + a_i): e is the tolerance, s_i the
/// size of y_i, and a_i keeps steps from becoming small if y_i vanishes. If y_i is an entry of the state, s_i is the
/// larger of |y_i| and 4/5 of s_i one step ago, and a_i is 1e-3 of the largest value so far in the group of y_i, but no
/// less than 1e-6 of the largest value so far in the whole state. If y_i is log lambda, s_i = |y_i| and a_i = 1, since
/// an absolute error of log lambda is a relative error of lambda. If y_i is a budget, s_i = |y_i|, and a_i is 1e-3 of
/// the largest term of its law. Where no entry has been above least_size, or no such term above 0, a_i is 1. Sums are
/// compensated.
class AdaptiveLoop : public CompiledLoop<AdaptiveControl> {
 public:
  static constexpr std::size_t most_order = 24;
  using Control = AdaptiveControl;
  using CompiledLoop::CompiledLoop;

  /// Returns the rows of the lanes. A call moves the lanes that are `running`.
  [[nodiscard]] AdaptiveRows rows() const { return AdaptiveRows(entries()); }
};

}  // namespace herglotz::kernel
