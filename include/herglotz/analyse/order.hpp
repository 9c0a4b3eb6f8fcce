#pragma once
/// Orders of convergence and drifts of invariants, as least-squares slopes.

#include <cstddef>
#include <span>

namespace herglotz::analyse {

/// log(error) = order * log(step) + constant, fitted over the errors that are method errors.
struct OrderFit {
  double order = 0;
  double constant = 0;
  double deviation = 0;  ///< largest |log10| distance of a used point from the line
  std::size_t used = 0;  ///< points above the round-off floor
};

/// Fits the order of a method from its errors at several steps. Errors at or below `round_off` say nothing about the
/// order and are left out, as is every smaller step once an error has reached the floor.
/// Throws std::invalid_argument when fewer than three points remain, a step repeats, or an error is not a finite
/// number.
OrderFit fit_order(std::span<const double> steps, std::span<const double> errors, double round_off = 1e-12);

/// value = mean + slope * (t - mean t), with what the scatter about that line says of the slope.
struct DriftFit {
  double slope = 0;
  double standard_error = 0;  ///< of the slope, were the scatter independent noise
  double spread = 0;          ///< largest |value - value at the start|
  double drift = 0;           ///< |slope| times the time covered
};

/// Fits the drift of an invariant along a run. Throws std::invalid_argument for fewer than three points, unequal
/// lengths, or times that are all the same.
DriftFit fit_drift(std::span<const double> times, std::span<const double> values);

}  // namespace herglotz::analyse
