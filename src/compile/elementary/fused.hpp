#pragma once
/// Fused multiply-add as a list of operations that are rounded one by one, for machines without such an instruction.

#include "elementary/arithmetic.hpp"

namespace herglotz::compile {

/// Returns x + y with its rounding error, which is exact for any x and y. D. E. Knuth, The Art of Computer Programming,
/// Vol. 2, Sec. 4.2.2, Theorem B.
template <class A>
Twofold<A> exact_sum(const A& a, typename A::Number x, typename A::Number y) {
  const auto sum = a.add(x, y);
  const auto of_y = a.subtract(sum, x);
  const auto of_x = a.subtract(sum, of_y);
  return {sum, a.add(a.subtract(x, of_x), a.subtract(y, of_y))};
}

/// Returns x y with its rounding error. T. J. Dekker, A floating-point technique for extending the available precision,
/// Numer. Math. 18 (1971).
template <class A>
Twofold<A> exact_product(const A& a, typename A::Number x, typename A::Number y) {
  const auto halves = [&](auto v) -> Twofold<A> {
    const auto shifted = a.multiply(v, a.constant(0x1p27 + 1));
    const auto high = a.subtract(shifted, a.subtract(shifted, v));
    return {high, a.subtract(v, high)};
  };
  const auto [x_high, x_low] = halves(x);
  const auto [y_high, y_low] = halves(y);
  const auto product = a.multiply(x, y);
  const auto first = a.subtract(a.multiply(x_high, y_high), product);
  const auto second = a.add(first, a.multiply(x_high, y_low));
  const auto third = a.add(second, a.multiply(x_low, y_high));
  return {product, a.add(third, a.multiply(x_low, y_low))};
}

/// Returns x + y rounded to odd: a sum that is not exact becomes the neighbour whose last bit is set.
template <class A>
typename A::Number odd_sum(const A& a, typename A::Number x, typename A::Number y) {
  const auto [sum, error] = exact_sum(a, x, y);
  const auto bits = a.bits(sum);
  const auto away = a.is_negative(a.exclusive_or(bits, a.bits(error)));
  const auto neighbour = a.choose(away, a.number(a.minus(bits, a.whole(1))), a.number(a.plus(bits, a.whole(1))));
  const auto odd = a.is_negative(a.left(bits, 63));
  const auto inexact = a.greater(a.magnitude(error), a.constant(0));
  return a.choose(inexact, a.choose(odd, sum, neighbour), sum);
}

/// Returns x y + z rounded once, if `fuses_in_range` holds for x, y and z. S. Boldo, G. Melquiond, Emulation of FMA and
/// correctly rounded sums: proved algorithms using rounding to odd, IEEE Trans. Comput. 57 (2008), Fig. 2.
template <class A>
typename A::Number fused_in_range(const A& a, typename A::Number x, typename A::Number y, typename A::Number z) {
  const auto product = exact_product(a, x, y);
  const auto low = exact_sum(a, z, product.low);
  const auto high = exact_sum(a, product.high, low.high);
  return a.add(high.high, odd_sum(a, low.low, high.low));
}

/// Returns a mask: no step of `fused_in_range` overflows, and no rounding error is smaller than the least number.
template <class A>
typename A::Mask fuses_in_range(const A& a, typename A::Number x, typename A::Number y, typename A::Number z) {
  const auto between = [&](auto v, double low, double high) {
    const auto size = a.magnitude(v);
    return a.all(a.greater(size, a.constant(low)), a.greater(a.constant(high), size));
  };
  const auto factors = a.all(between(x, 0x1p-960, 0x1p990), between(y, 0x1p-960, 0x1p990));
  const auto product = between(a.multiply(x, y), 0x1p-900, 0x1p990);
  return a.all(a.all(factors, product), a.greater(a.constant(0x1p990), a.magnitude(z)));
}

}  // namespace herglotz::compile
