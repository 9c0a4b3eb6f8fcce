#include "maximum/jet.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace herglotz::solve {
namespace {

using symbolic::Op;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Ranges of a function of one argument and of its derivatives.
struct Outer {
  Range value;
  Range first;
  Range second;
  bool defined = true;
};

Outer undefined() {
  return {Range::all(), Range::all(), Range::all(), false};
}

/// Returns f(g) by the chain rule.
Jet compose(const Outer& f, const Jet& g) {
  Jet result;
  result.n = g.n;
  result.defined = g.defined && f.defined;
  const bool linear = g.convex && g.concave;
  const bool rises = f.first.low >= 0;
  const bool falls = f.first.high <= 0;
  result.convex = f.second.low >= 0 && (linear || (g.convex && rises) || (g.concave && falls));
  result.concave = f.second.high <= 0 && (linear || (g.concave && rises) || (g.convex && falls));
  result.squares = false;
  result.value = f.value;
  for (std::size_t i = 0; i < g.n; ++i) {
    result.slope[i] = f.first * g.slope[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const Range slopes = i == j ? square(g.slope[i]) : g.slope[i] * g.slope[j];
      result.second[second_place(i, j)] = f.second * slopes + f.first * g.second[second_place(i, j)];
    }
  }
  return result;
}

/// Returns whether a range has a number a + k b with a whole k.
bool has_multiple(Range x, double a, double b) {
  return std::floor((x.high - a) / b) >= std::ceil((x.low - a) / b);
}

Range cosine(Range x) {
  if (!x.is_finite() || x.width() >= 2 * std::numbers::pi) return {-1, 1};
  const double p = std::cos(x.low);
  const double q = std::cos(x.high);
  return {has_multiple(x, std::numbers::pi, 2 * std::numbers::pi) ? -1 : std::min(p, q),
          has_multiple(x, 0, 2 * std::numbers::pi) ? 1 : std::max(p, q)};
}

Range sine(Range x) {
  return cosine(x - Range::at(std::numbers::pi / 2));
}

Outer tangent(Range x) {
  if (!x.is_finite() || has_multiple(x, std::numbers::pi / 2, std::numbers::pi))
    return {Range::all(), {1, infinity}, Range::all()};
  const Range value{std::tan(x.low), std::tan(x.high)};
  const Range first = Range::at(1) + square(value);
  return {value, first, 2 * (value * first)};
}

/// Returns the values of x^p. Those of a p that is not whole are for x >= 0.
Range powers(Range x, double p) {
  if (p == 0) return Range::at(1);
  if (p < 0) return inverse(powers(x, -p));
  const bool even = p == std::round(p) && std::fmod(p, 2) == 0;
  if (!even) return {std::pow(x.low, p), std::pow(x.high, p)};
  return {x.has(0) ? 0 : std::pow(std::min(std::abs(x.low), std::abs(x.high)), p), std::pow(x.size(), p)};
}

Outer power_of(Range x, double p) {
  if (p != std::round(p)) {
    if (x.high < 0) return undefined();
    x.low = std::max(x.low, 0.0);
  }
  if (p < 0 && x.is_point() && x.low == 0) return undefined();
  return {powers(x, p), p * powers(x, p - 1), p * (p - 1) * powers(x, p - 2)};
}

Outer logarithm(Range x) {
  if (x.high <= 0) return undefined();
  x.low = std::max(x.low, 0.0);
  const Range first = inverse(x);
  return {{std::log(x.low), std::log(x.high)}, first, -square(first)};
}

Outer exponential(Range x) {
  const Range value{std::exp(x.low), std::exp(x.high)};
  return {value, value, value};
}

Outer hyperbolic_cosine(Range x) {
  const Range sinh{std::sinh(x.low), std::sinh(x.high)};
  const double far = x.size();
  const double near = x.has(0) ? 0 : std::min(std::abs(x.low), std::abs(x.high));
  const Range cosh{std::cosh(near), std::cosh(far)};
  return {cosh, sinh, cosh};
}

Outer hyperbolic_sine(Range x) {
  const Outer cosh = hyperbolic_cosine(x);
  return {cosh.first, cosh.value, cosh.first};
}

Outer hyperbolic_tangent(Range x) {
  const Range value{std::tanh(x.low), std::tanh(x.high)};
  const Range first = Range::at(1) - square(value);
  return {value, first, -2 * (value * first)};
}

Outer arc_sine(Range x) {
  if (x.high < -1 || x.low > 1) return undefined();
  x = {std::max(x.low, -1.0), std::min(x.high, 1.0)};
  const Range rest = Range::at(1) - square(x);
  const Range first = inverse(powers({std::max(rest.low, 0.0), rest.high}, 0.5));
  return {{std::asin(x.low), std::asin(x.high)}, first, x * (first * square(first))};
}

Outer arc_tangent(Range x) {
  const Range first = inverse(Range::at(1) + square(x));
  return {{std::atan(x.low), std::atan(x.high)}, first, -2 * (x * square(first))};
}

Outer absolute_value(Range x) {
  if (x.low > 0) return {x, Range::at(1), Range::at(0)};
  if (x.high < 0) return {-x, Range::at(-1), Range::at(0)};
  return {{0, x.size()}, {-1, 1}, {0, infinity}};
}

Outer sign_of(Range x) {
  if (x.low > 0 || x.high < 0) return {Range::at(x.low > 0 ? 1 : -1), Range::at(0), Range::at(0)};
  return {{x.low < 0 ? -1.0 : 0.0, x.high > 0 ? 1.0 : 0.0}, {0, infinity}, Range::all()};
}

Outer whole_part(Range x) {
  const Range value{std::floor(x.low), std::floor(x.high)};
  if (value.is_point()) return {value, Range::at(0), Range::at(0)};
  return {value, {0, infinity}, Range::all()};
}

Outer outer(Op op, Range x) {
  switch (op) {
    case Op::exp:
      return exponential(x);
    case Op::log:
      return logarithm(x);
    case Op::sin:
      return {sine(x), cosine(x), -sine(x)};
    case Op::cos:
      return {cosine(x), -sine(x), -cosine(x)};
    case Op::tan:
      return tangent(x);
    case Op::asin:
      return arc_sine(x);
    case Op::acos: {
      const Outer asin = arc_sine(x);
      return {Range::at(std::numbers::pi / 2) - asin.value, -asin.first, -asin.second, asin.defined};
    }
    case Op::atan:
      return arc_tangent(x);
    case Op::sinh:
      return hyperbolic_sine(x);
    case Op::cosh:
      return hyperbolic_cosine(x);
    case Op::tanh:
      return hyperbolic_tangent(x);
    case Op::abs:
      return absolute_value(x);
    case Op::sign:
      return sign_of(x);
    case Op::floor:
      return whole_part(x);
    default:
      return {Range::all(), Range::all(), Range::all()};
  }
}

Jet join(const Jet& a, const Jet& b) {
  if (!a.defined) return b;
  if (!b.defined) return a;
  // The function jumps from one branch to the other, so that its derivatives have any value.
  return unknown(a.n, hull(a.value, b.value));
}

}  // namespace

Jet constant(std::size_t n, double value) {
  Jet result;
  result.n = n;
  result.squares = value >= 0;
  result.value = Range::at(value);
  return result;
}

Jet variable(std::size_t n, std::size_t which, Range range) {
  Jet result;
  result.n = n;
  result.squares = false;
  result.value = range;
  result.slope[which] = Range::at(1);
  return result;
}

Jet unknown(std::size_t n, Range value) {
  Jet result;
  result.n = n;
  result.convex = result.concave = result.squares = false;
  result.value = value;
  result.slope.fill(Range::all());
  result.second.fill(Range::all());
  return result;
}

Jet operator+(const Jet& a, const Jet& b) {
  Jet result;
  result.n = a.n;
  result.defined = a.defined && b.defined;
  result.convex = a.convex && b.convex;
  result.concave = a.concave && b.concave;
  result.squares = a.squares && b.squares;
  result.value = a.value + b.value;
  for (std::size_t i = 0; i < a.n; ++i) result.slope[i] = a.slope[i] + b.slope[i];
  for (std::size_t k = 0; k < second_place(a.n, 0); ++k) result.second[k] = a.second[k] + b.second[k];
  return result;
}

Jet operator*(double a, const Jet& b) {
  Jet result = b;
  result.convex = a == 0 || (a > 0 ? b.convex : b.concave);
  result.concave = a == 0 || (a > 0 ? b.concave : b.convex);
  result.squares = a >= 0 && b.squares;
  const auto scale = [&](Range& range) { range = Range::at(a) * range; };
  scale(result.value);
  std::for_each(result.slope.begin(), result.slope.begin() + static_cast<std::ptrdiff_t>(b.n), scale);
  std::for_each(result.second.begin(), result.second.begin() + static_cast<std::ptrdiff_t>(second_place(b.n, 0)),
                scale);
  return result;
}

Jet operator*(const Jet& a, const Jet& b) {
  Jet result;
  result.n = a.n;
  result.defined = a.defined && b.defined;
  result.convex = result.concave = result.squares = false;
  result.value = a.value * b.value;
  for (std::size_t i = 0; i < a.n; ++i) {
    result.slope[i] = a.slope[i] * b.value + a.value * b.slope[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const std::size_t k = second_place(i, j);
      const Range mixed = i == j ? 2 * (a.slope[i] * b.slope[i]) : a.slope[i] * b.slope[j] + a.slope[j] * b.slope[i];
      result.second[k] = a.second[k] * b.value + mixed + a.value * b.second[k];
    }
  }
  return result;
}

Jet power(const Jet& a, double p) {
  Jet result = compose(power_of(a.value, p), a);
  result.squares = p == 2 && a.convex && a.concave;
  // The root of a sum of squares is a norm.
  if (p == 0.5 && a.squares) result.convex = true;
  return result;
}

Jet apply(Op op, const Jet& a) {
  return compose(outer(op, a.value), a);
}

Jet extreme(const Jet& a, const Jet& b, bool largest) {
  // max(a, b) = (a + b + |a - b|)/2, and min(a, b) is that with the other sign.
  Jet result = 0.5 * (a + b + (largest ? 1.0 : -1.0) * apply(Op::abs, a + -1.0 * b));
  const auto one_of = [&](double x, double y) { return largest ? std::max(x, y) : std::min(x, y); };
  result.value = {one_of(a.value.low, b.value.low), one_of(a.value.high, b.value.high)};
  if (largest) result.convex = a.convex && b.convex;
  if (!largest) result.concave = a.concave && b.concave;
  return result;
}

Jet chosen(const Jet& a, const Jet& b, const Jet& x, const Jet& y) {
  if (!a.defined || !b.defined) return join(x, y);
  const Range above = a.value - b.value;
  if (above.low > 0) return x;
  if (above.high <= 0) return y;
  return join(x, y);
}

}  // namespace herglotz::solve
