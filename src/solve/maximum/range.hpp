#pragma once
/// Closed intervals of numbers, and the values that functions have on them.

#include <algorithm>
#include <cmath>
#include <limits>

namespace herglotz::solve {

/// Numbers from `low` to `high`, which may be infinite.
struct Range {
  double low = 0;
  double high = 0;

  static Range at(double x) { return {x, x}; }
  static Range all() { return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}; }
  [[nodiscard]] bool has(double x) const { return low <= x && x <= high; }
  [[nodiscard]] bool is_point() const { return low == high; }
  [[nodiscard]] bool is_finite() const { return std::isfinite(low) && std::isfinite(high); }
  [[nodiscard]] double width() const { return high - low; }
  /// Returns the largest absolute value.
  [[nodiscard]] double size() const { return std::max(std::abs(low), std::abs(high)); }
};

/// Returns the range from `low` to `high`; an end that is no number, as that of an infinite difference, is infinite.
inline Range range_of(double low, double high) {
  return {std::isnan(low) ? Range::all().low : low, std::isnan(high) ? Range::all().high : high};
}

inline Range operator+(Range a, Range b) {
  return range_of(a.low + b.low, a.high + b.high);
}
inline Range operator-(Range a) {
  return {-a.high, -a.low};
}
inline Range operator-(Range a, Range b) {
  return a + -b;
}
inline Range operator*(Range a, Range b) {
  // An infinite end is approached and never reached, so that 0 times it is 0.
  const auto product = [](double x, double y) { return x == 0 || y == 0 ? 0.0 : x * y; };
  const double p = product(a.low, b.low);
  const double q = product(a.low, b.high);
  const double r = product(a.high, b.low);
  const double s = product(a.high, b.high);
  return {std::min({p, q, r, s}), std::max({p, q, r, s})};
}
inline Range operator*(double a, Range b) {
  return Range::at(a) * b;
}
inline Range& operator+=(Range& a, Range b) {
  return a = a + b;
}

/// Returns the smallest range that contains both.
inline Range hull(Range a, Range b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
/// Returns the values of x^2, which is no product of independent factors.
inline Range square(Range a) {
  const double low = a.has(0) ? 0 : std::min(std::abs(a.low), std::abs(a.high));
  return {low * low, a.size() * a.size()};
}
/// Returns the values of 1/x.
inline Range inverse(Range a) {
  if (a.low < 0 && a.high > 0) return Range::all();
  if (a.is_point() && a.low == 0) return Range::all();
  const Range all = Range::all();
  return {a.high == 0 ? all.low : 1 / a.high, a.low == 0 ? all.high : 1 / a.low};
}

}  // namespace herglotz::solve
