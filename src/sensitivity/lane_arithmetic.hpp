#pragma once
/// Arrays of numbers of W steps at once, lane-minor.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "herglotz/kernel/numbers.hpp"
#include "herglotz/sensitivity/step_maps.hpp"

namespace herglotz::sensitivity {

/// Arithmetic of the maps of steps in lanes.
template <int W>
class LaneArithmetic {
 protected:
  using P = kernel::NumbersOf<W>;
  using Doubles = std::vector<double>;

  static P get(const Doubles& numbers, std::size_t i) { return kernel::load<P>(numbers.data() + i * W); }
  static void set(Doubles& numbers, std::size_t i, const P& value) { kernel::store(numbers.data() + i * W, value); }
  static void add(Doubles& numbers, std::size_t i, const P& value) { set(numbers, i, get(numbers, i) + value); }
  static bool finite(std::span<const double> numbers) {
    double zero = 0;
    for (const double number : numbers) zero += number * 0;
    return zero == 0;
  }

  /// Calls `of_step(lane, k)` with the step of each lane: lanes behind the last step have that one too.
  template <class OfStep>
  static void for_steps(std::size_t first, std::size_t count, const OfStep& of_step) {
    for (std::size_t lane = 0; lane < W; ++lane) of_step(lane, first + std::min(lane, count - 1));
  }
  /// Loads numbers of consecutive steps, `size` for each.
  static void load(std::span<const double> from, std::size_t size, std::size_t first, std::size_t count, double* to) {
    for_steps(first, count, [&](std::size_t lane, std::size_t k) {
      for (std::size_t i = 0; i < size; ++i) to[i * W + lane] = from[k * size + i];
    });
  }
  /// Stores those of `count` lanes.
  static void store(const Doubles& from, std::size_t size, std::size_t count, double* to, std::size_t stride) {
    for (std::size_t lane = 0; lane < count; ++lane)
      for (std::size_t i = 0; i < size; ++i) to[lane * stride + i] = from[i * W + lane];
  }
};

}  // namespace herglotz::sensitivity
