#pragma once
/// Derivatives of computed values by central differences of order 8.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace herglotz::sensitivity {

/// The derivative of a list of values, and the estimate of its error relative to the largest derivative of its group.
struct Slope {
  std::vector<double> values;
  double error = 0;
  std::size_t least_accurate = 0;  ///< the group whose error this is
  /// Groups whose derivatives are 0 but for round-off, and do not agree: their values are below 1e-12 of the largest of
  /// all groups, or their derivatives below 1e-6 of value / scale. `error` compares their errors with the values of all
  /// groups, or with 1e-2 of value / scale.
  std::vector<std::size_t> round_off{};
};

/// Returns the values at each offset from the point of the derivative, or `std::nullopt` if one of them does not exist.
using ValuesAt = std::function<std::optional<std::vector<std::vector<double>>>(std::span<const double> offsets)>;

/// Returns the derivative of values at offset 0, or `std::nullopt` if there are no values near it. Value i belongs to
/// the group i mod `groups`. The first offsets are 1 to 4 times `first_share` of `scale`, and shrink until two
/// derivatives agree to round-off; their difference is the estimate of the error. Derivatives far below a value over
/// `scale` count as round-off.
std::optional<Slope> central_slope(const ValuesAt& values_at, double scale, std::size_t groups,
                                   double first_share = 1.0 / 32);

}  // namespace herglotz::sensitivity
