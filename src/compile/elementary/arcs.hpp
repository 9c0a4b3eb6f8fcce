#pragma once
/// The inverse trigonometric functions as lists of operations.

#include <array>
#include <cstdint>

#include "elementary/arithmetic.hpp"

namespace herglotz::compile {

/// Returns atan(small/large) for 0 <= small <= large, where large is from 1 to 2^100.
///
/// Beyond 0.3 this is atan(1/2) + atan(t) for t = (small - large/2)/(large + small/2). So t is between -0.18 and 1/3.
template <class A>
Twofold<A> arc(const A& a, typename A::Number small, typename A::Number large) {
  constexpr std::array bend{-0x1.555555555554bp-2, 0x1.9999999997682p-3, -0x1.2492492345f9cp-3, 0x1.c71c71038ac26p-4,
                            -0x1.745cf615785efp-4, 0x1.3b10317003fccp-4, -0x1.10d44bcc5d973p-4, 0x1.dc8ac9c9fb023p-5,
                            -0x1.891be365fa1eep-5, 0x1.c97e67e6f85b0p-6};
  const auto zero = a.constant(0);
  const auto bent = a.greater(small, a.multiply(large, a.constant(0.3)));
  const auto half = a.choose(bent, a.constant(0.5), zero);
  // The difference is exact, since small is between a quarter and the whole of large where half is not zero.
  const auto above = a.fused(a.negate(half), large, small);
  const auto below = a.fused(half, small, large);
  const auto under = a.fused(half, small, a.subtract(large, below));
  const auto inverse = a.divide(a.constant(1), below);
  const auto t = a.multiply(above, inverse);
  const auto back = a.negate(t);
  const auto rest = a.fused(back, under, a.fused(back, below, above));
  const auto z = a.multiply(t, t);
  const auto curved = a.fused(a.multiply(t, z), polynomial(a, z, bend), a.multiply(rest, inverse));
  const auto [angle, lost] = fast_sum(a, a.choose(bent, a.constant(0x1.dac670561bb4fp-2), zero), t);
  const auto little = a.add(lost, a.choose(bent, a.constant(0x1.a2b7f222f65e2p-56), zero));
  return {angle, a.add(curved, little)};
}

/// Returns base + angle, where |angle| is at most |base| if base is not zero.
template <class A>
typename A::Number turned(const A& a, const Twofold<A>& base, const Twofold<A>& angle) {
  const auto [sum, lost] = fast_sum(a, base.high, angle.high);
  return a.add(sum, a.add(lost, a.add(angle.low, base.low)));
}

/// Returns pi/2 where a mask holds, and `otherwise` elsewhere.
template <class A>
Twofold<A> half_pi_where(const A& a, typename A::Mask where, const Twofold<A>& otherwise) {
  return {a.choose(where, a.constant(half_pi_high), otherwise.high),
          a.choose(where, a.constant(half_pi_low), otherwise.low)};
}

/// Returns pi where the sign of x is negative, and 0 elsewhere.
template <class A>
Twofold<A> pi_behind(const A& a, typename A::Number x) {
  const auto behind = a.is_negative(a.bits(x));
  return {a.choose(behind, a.constant(2 * half_pi_high), a.constant(0)),
          a.choose(behind, a.constant(2 * half_pi_low), a.constant(0))};
}

/// Returns an angle with the opposite sign where the highest bit of n is set.
template <class A>
Twofold<A> flipped(const A& a, const Twofold<A>& angle, typename A::Whole n) {
  return {a.flipped(angle.high, n), a.flipped(angle.low, n)};
}

/// Returns bits whose highest one is set where a mask holds.
template <class A>
typename A::Whole negative_where(const A& a, typename A::Mask where) {
  return a.bits(a.choose(where, a.constant(-1), a.constant(1)));
}

template <class A>
typename A::Number atan_of(const A& a, typename A::Number x) {
  const auto one = a.constant(1);
  const auto size = at_most(a, a.magnitude(x), 0x1p100);
  const auto steep = a.greater(size, one);
  const auto angle = arc(a, a.choose(steep, one, size), a.choose(steep, size, one));
  const auto base = half_pi_where<A>(a, steep, {a.constant(0), a.constant(0)});
  return a.flipped(turned(a, base, flipped(a, angle, negative_where(a, steep))), a.bits(x));
}

/// Returns the angle of the point (x, y), from -pi to pi. The special cases are those of ISO C.
template <class A>
typename A::Number atan2_of(const A& a, typename A::Number y, typename A::Number x) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000ULL;
  constexpr std::uint64_t largest = 0x7fe0000000000000ULL;
  const auto zero = a.constant(0);
  const auto one = a.constant(1);
  // Infinite coordinates are 1, and those beside them 0.
  const auto far_y = a.equal(a.magnitude(y), a.constant(infinite));
  const auto far_x = a.equal(a.magnitude(x), a.constant(infinite));
  const auto up = a.choose(far_y, one, a.choose(far_x, zero, a.magnitude(y)));
  const auto along = a.choose(far_x, one, a.choose(far_y, zero, a.magnitude(x)));
  const auto steep = a.greater(up, along);
  const auto longer = a.choose(steep, up, along);
  const auto some = a.choose(a.greater(longer, zero), longer, one);
  // Powers of two bring the longer coordinate into [1, 2).
  const auto first = a.choose(a.greater(some, a.constant(0x1p1000)), a.constant(0x1p-8),
                              a.choose(a.greater(a.constant(0x1p-900), some), a.constant(0x1p120), one));
  const auto large = a.multiply(some, first);
  const auto small = a.multiply(a.choose(steep, along, up), first);
  const auto second = a.number(a.minus(a.whole(largest), a.both(a.bits(large), a.whole(exponent))));
  const auto angle = arc(a, a.multiply(small, second), a.multiply(large, second));
  const auto base = half_pi_where(a, steep, pi_behind(a, x));
  const auto turn = a.exclusive_or(negative_where(a, steep), a.bits(x));
  const auto found = turned(a, base, flipped(a, angle, turn));
  return a.choose(a.unordered(x, y), a.constant(undefined), a.flipped(found, a.bits(y)));
}

/// asin(size) if `far` does not hold, and half of acos(size) if it does.
template <class A>
struct Sector {
  typename A::Mask far;
  Twofold<A> angle;
};

template <class A>
Sector<A> sector(const A& a, typename A::Number size) {
  constexpr std::array bend{0x1.5555555555577p-3, 0x1.333333332e1d7p-4, 0x1.6db6db72067c3p-5, 0x1.f1c71a9a612bcp-6,
                            0x1.6e8bde357e3ffp-6, 0x1.1c49fd309612cp-6, 0x1.ca1e4bde65f16p-7, 0x1.759020e3f57d1p-7,
                            0x1.60fff6c6f49f2p-7, 0x1.e995aa7ea282cp-9, 0x1.627f8e45fcf05p-6, -0x1.5667f5d274d99p-6,
                            0x1.0ac783d4e1577p-5};
  const auto zero = a.constant(0);
  const auto half = a.constant(0.5);
  const auto far = a.greater(size, half);
  const auto z = a.choose(far, a.fused(a.negate(half), size, half), a.multiply(size, size));
  const auto root = a.square_root(z);
  // The error of the root; there is none if the root is zero.
  const auto rest = a.fused(a.negate(root), root, z);
  const auto lost = a.multiply(rest, a.divide(half, a.choose(a.greater(root, zero), root, half)));
  const auto sine = a.choose(far, root, size);
  return {far, {sine, a.fused(a.multiply(sine, z), polynomial(a, z, bend), a.choose(far, lost, zero))}};
}

/// Returns a twofold number times +-1 or +-2.
template <class A>
Twofold<A> times(const A& a, typename A::Number factor, const Twofold<A>& angle) {
  return {a.multiply(factor, angle.high), a.multiply(factor, angle.low)};
}

template <class A>
typename A::Number asin_of(const A& a, typename A::Number x) {
  const auto [far, angle] = sector(a, a.magnitude(x));
  const auto factor = a.choose(far, a.constant(-2), a.constant(1));
  const auto base = half_pi_where<A>(a, far, {a.constant(0), a.constant(0)});
  return a.flipped(turned(a, base, times(a, factor, angle)), a.bits(x));
}

template <class A>
typename A::Number acos_of(const A& a, typename A::Number x) {
  const auto [far, angle] = sector(a, a.magnitude(x));
  const auto factor = a.flipped(a.choose(far, a.constant(2), a.constant(-1)), a.bits(x));
  const auto behind = pi_behind(a, x);
  const Twofold<A> base{a.choose(far, behind.high, a.constant(half_pi_high)),
                        a.choose(far, behind.low, a.constant(half_pi_low))};
  return turned(a, base, times(a, factor, angle));
}

}  // namespace herglotz::compile
