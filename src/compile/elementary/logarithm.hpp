#pragma once
/// The natural logarithm and powers as lists of operations.

#include <array>
#include <cstdint>
#include <limits>

#include "elementary/arithmetic.hpp"
#include "elementary/exponential.hpp"

namespace herglotz::compile {

/// The first 42 bits of ln 2, so that multiples up to 2^11 are exact, and the rest.
constexpr double short_ln2 = 0x1.62e42fefa3800p-1;
constexpr double rest_of_ln2 = 0x1.ef35793c76730p-45;

/// A positive number 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt(2).
template <class A>
struct Binary {
  typename A::Number k;
  typename A::Number f;
};

template <class A>
Binary<A> binary(const A& a, typename A::Number x) {
  constexpr std::uint64_t root_of_half = 0x3fe6a09e667f3bcdULL;
  constexpr std::uint64_t one = 0x3ff0000000000000ULL;
  constexpr std::uint64_t exponent = 0xfff0000000000000ULL;
  constexpr double number_of_bits = 0x1p52;  // its low bits are a whole number
  const auto subnormal = a.greater(a.constant(std::numeric_limits<double>::min()), x);
  const auto n = a.bits(a.choose(subnormal, a.multiply(x, a.constant(0x1p54)), x));
  const auto above = a.plus(n, a.whole(one - root_of_half));
  const auto biased = a.number(a.either(a.right(above, 52), a.bits(a.constant(number_of_bits))));
  const auto k = a.subtract(
      biased, a.choose(subnormal, a.constant(number_of_bits + 1023 + 54), a.constant(number_of_bits + 1023)));
  const auto m = a.number(a.minus(a.plus(n, a.whole(one)), a.both(above, a.whole(exponent))));
  return {k, a.subtract(m, a.constant(1))};
}

/// Returns ln x. With s = f/(2 + f), ln(1 + f) is 2 s + s z p(z) for z = s^2, where 2 s = f - f^2/2 + s f^2/2.
template <class A>
typename A::Number log_of(const A& a, typename A::Number x) {
  constexpr std::array p{0x1.5555555555594p-1, 0x1.999999997f72dp-2, 0x1.249249423c734p-2, 0x1.c71c51d50fa2ap-3,
                         0x1.7466486178ecdp-3, 0x1.39a0ddfa994c2p-3, 0x1.2f0d5e2c92795p-3};
  const auto [k, f] = binary(a, x);
  const auto s = a.divide(f, a.add(f, a.constant(2)));
  const auto z = a.multiply(s, s);
  const auto bend = a.multiply(a.multiply(f, f), a.constant(0.5));
  const auto more = a.fused(z, polynomial(a, z, p), bend);
  const auto [high, lost] = fast_sum(a, a.multiply(k, a.constant(short_ln2)), f);
  const auto low = a.fused(k, a.constant(rest_of_ln2), a.fused(s, more, a.negate(bend)));
  const auto found = a.add(high, a.add(lost, low));

  const auto outside = a.choose(a.equal(x, a.constant(0)), a.constant(-infinite), a.constant(undefined));
  const auto inside = a.choose(a.equal(x, a.constant(infinite)), x, found);
  return a.choose(a.greater(x, a.constant(0)), inside, outside);
}

/// Returns ln x for a positive finite x with a relative error of about 2^-66: powers multiply it by up to 745.
template <class A>
Twofold<A> precise_log(const A& a, typename A::Number x) {
  // (2 atanh(s)/s - 2 - 2/3 z)/z^2
  constexpr std::array p{0x1.9999999999995p-2, 0x1.2492492493150p-2, 0x1.c71c71c56444fp-3, 0x1.745d183dec639p-3,
                         0x1.3b135fff863dfp-3, 0x1.112112a7d433ep-3, 0x1.de26213628c94p-4, 0x1.eb76255ddc6b8p-4};
  constexpr double two_thirds_high = 0x1.5555555555555p-1;
  constexpr double two_thirds_low = 0x1.5555555555555p-55;
  const auto product = [&](const Twofold<A>& u, const Twofold<A>& v) -> Twofold<A> {
    const auto high = a.multiply(u.high, v.high);
    const auto exact = a.fused(u.high, v.high, a.negate(high));
    return {high, a.fused(u.high, v.low, a.fused(u.low, v.high, exact))};
  };
  const auto [k, f] = binary(a, x);
  const auto below = fast_sum(a, a.constant(2), f);
  const auto inverse = a.divide(a.constant(1), below.high);
  const auto near = a.multiply(f, inverse);
  const auto back = a.negate(near);
  const auto rest = a.fused(back, below.low, a.fused(back, below.high, f));
  const Twofold<A> s{near, a.multiply(rest, inverse)};

  const auto z = product(s, s);
  const auto curve = polynomial(a, z.high, p);
  const auto first = a.multiply(z.high, curve);
  const auto lost = a.fused(z.high, curve, a.negate(first));
  const auto second = fast_sum(a, a.constant(two_thirds_high), first);
  const auto third = product(z, {second.high, a.add(second.low, a.add(lost, a.constant(two_thirds_low)))});
  const auto factor = fast_sum(a, a.constant(2), third.high);
  const auto mantissa = product(s, {factor.high, a.add(factor.low, third.low)});
  const auto all = fast_sum(a, a.multiply(k, a.constant(short_ln2)), mantissa.high);
  return fast_sum(a, all.high, a.fused(k, a.constant(rest_of_ln2), a.add(all.low, mantissa.low)));
}

/// Returns a mask of the numbers that are whole, for numbers that are not negative.
template <class A>
typename A::Mask is_whole(const A& a, typename A::Number size) {
  // From 2^52 on every double is whole.
  const auto limit = a.constant(0x1p52);
  const auto round = a.subtract(a.add(size, limit), limit);
  return a.equal(a.choose(a.greater(limit, size), round, size), size);
}

/// Returns x^y = e^(y ln |x|) with the sign of x if y is odd. The special cases are those of ISO C.
template <class A>
typename A::Number pow_of(const A& a, typename A::Number x, typename A::Number y) {
  const auto zero = a.constant(0);
  const auto one = a.constant(1);
  const auto infinity = a.constant(infinite);
  const auto size = a.magnitude(x);
  const auto far = a.choose(a.equal(size, zero), a.constant(-infinite), infinity);
  const auto ordinary = a.all(a.greater(size, zero), a.greater(infinity, size));
  const auto [high, low] = precise_log(a, a.choose(ordinary, size, one));
  const auto log_high = a.choose(ordinary, high, far);
  // With a finite exponent, 1 to the power of infinity needs no case of its own.
  const auto exponent = within(a, y, 0x1p1000);
  const auto product = a.multiply(exponent, log_high);
  const auto lost = a.fused(exponent, low, a.fused(exponent, log_high, a.negate(product)));
  const auto moderate = a.greater(a.constant(largest_exponent), a.magnitude(product));
  const auto power = exp_of_sum(a, within(a, product, largest_exponent), a.choose(moderate, lost, zero));

  const auto steps = a.magnitude(y);
  const auto whole = is_whole(a, steps);
  const auto even = is_whole(a, a.multiply(steps, a.constant(0.5)));
  const auto negative = a.is_negative(a.bits(x));
  const auto flipped = a.flipped(power, a.bits(x));
  const auto of_negative =
      a.choose(whole, a.choose(even, power, flipped), a.choose(ordinary, a.constant(undefined), power));
  const auto found = a.choose(negative, of_negative, power);
  const auto known = a.choose(a.unordered(x, y), a.constant(undefined), found);
  return a.choose(a.equal(y, zero), one, a.choose(a.equal(x, one), one, known));
}

}  // namespace herglotz::compile
