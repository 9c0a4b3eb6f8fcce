#pragma once
/// Directions of slips in a plane.

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace herglotz::simulate {

/// Returns the angle nearest to `from` at which `across` vanishes and `ahead` holds, where the friction against a
/// direction lets the surfaces slip along it: `across` is the part of that slip which is not along the direction, and
/// `ahead` says that the slip goes along the direction and not against it. Returns `std::nullopt` if there is no such
/// angle.
template <class Across, class Ahead>
std::optional<double> slip_direction(double from, const Across& across, const Ahead& ahead) {
  constexpr int parts = 180;
  constexpr double part = std::numbers::pi / parts;
  const auto zero = [&](double low_end, double low, double high_end) {
    for (int halved = 0; halved < std::numeric_limits<double>::digits; ++halved) {
      const double middle = (low_end + high_end) / 2;
      const double value = across(middle);
      if (low * value <= 0) {
        high_end = middle;
      } else {
        low_end = middle;
        low = value;
      }
    }
    return (low_end + high_end) / 2;
  };
  const double there = across(from);
  std::array<double, 2> before{there, there};
  for (int k = 1; k <= parts; ++k)
    for (const int side : {1, -1}) {
      const double to = from + side * k * part;
      const double now = across(to);
      double& last = before.at(side > 0 ? 0 : 1);
      if (last * now <= 0) {
        const double found = zero(to - side * part, last, to);
        if (ahead(found)) return found;
      }
      last = now;
    }
  return std::nullopt;
}

}  // namespace herglotz::simulate
