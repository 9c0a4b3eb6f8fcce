#pragma once
/// Soundness of numbers that kernels return.

#include <algorithm>
#include <cmath>
#include <span>

namespace herglotz::sensitivity {

/// Returns whether the checks of an elimination say that it is accurate: their sizes are between 1e-7 and 1e7.
inline bool sound(std::span<const double> checks) {
  constexpr double least = 1e-7;
  return std::all_of(checks.begin(), checks.end(),
                     [](double check) { return std::abs(check) > least && std::abs(check) < 1 / least; });
}

/// Returns whether all numbers are finite.
inline bool finite(std::span<const double> numbers) {
  double zero = 0;
  for (const double number : numbers) zero += number * 0;
  return zero == 0;
}

}  // namespace herglotz::sensitivity
