#pragma once
/// Orders of convergence and drifts of invariants, as least-squares slopes.

#include <cstddef>
#include <span>

namespace herglotz::analyse {

/// Fit of log(error) = order * log(step) + constant to the errors above round-off.
struct OrderFit {
  double order = 0;
  double constant = 0;
  double deviation = 0;  ///< largest |log10| distance of a used point from the line
  std::size_t used = 0;  ///< points above the round-off floor
};

/// Fits the order of a method from its errors at several steps. Errors at or below `round_off` say nothing about the
/// order and are left out; if an error has reached this floor, every smaller step is left out too. Throws
/// Refused if fewer than three points remain, a step repeats, or an error is not a finite number.
OrderFit fit_order(std::span<const double> steps, std::span<const double> errors, double round_off = 1e-12);

/// Fit of value = mean + slope * (t - mean t), with the uncertainty of the slope from the scatter about that line.
struct DriftFit {
  double slope = 0;
  double standard_error = 0;  ///< standard error of the slope if the scatter is independent noise
  double spread = 0;          ///< largest |value - value at the start|
  double drift = 0;           ///< |slope| times the time covered
};

/// Fits the drift of an invariant along a run. Throws Refused for fewer than three points, unequal
/// lengths, or times that are all the same.
DriftFit fit_drift(std::span<const double> times, std::span<const double> values);

}  // namespace herglotz::analyse
