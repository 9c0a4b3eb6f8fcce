#pragma once
/// The exponential and the hyperbolic functions as lists of operations.

#include <array>

#include "elementary/arithmetic.hpp"

namespace herglotz::compile {

/// Beyond this size exp is infinite or 0.
constexpr double largest_exponent = 800;

/// An argument x = k ln 2 + r + tail with |r| <= ln(2)/2, and what exp needs of it: e^x = 2^k (1 + r + bend + tail).
template <class A>
struct Exponent {
  typename A::Number k;
  typename A::Number r;
  typename A::Number tail;
  typename A::Number square;  ///< r^2
  typename A::Number curve;   ///< (e^r - 1 - r)/r^2; the bend is r^2 times this
};

/// Reduces high + low, where |high| is at most `largest_exponent` and low is at most its last place.
template <class A>
Exponent<A> reduced_exponent(const A& a, typename A::Number high, typename A::Number low) {
  constexpr std::array curve{0x1.0000000000000p-1,  0x1.555555555555cp-3,  0x1.5555555555541p-5,  0x1.111111110ea01p-7,
                             0x1.6c16c16c1fa99p-10, 0x1.a01a01b44134ap-13, 0x1.a01a0176edd41p-16, 0x1.71ddee7c81361p-19,
                             0x1.27e540b04e64dp-22, 0x1.af6e6f4e43590p-26, 0x1.1ed9b6463d450p-29};
  const auto k = nearest(a, a.multiply(high, a.constant(0x1.71547652b82fep+0)));
  const auto back = a.negate(k);
  // The difference is exact: it is a multiple of 2^-54 and below 1/2.
  const auto rest = a.fused(back, a.constant(ln2_high), high);
  const auto little = a.fused(back, a.constant(ln2_low), low);
  const auto [r, lost] = fast_sum(a, rest, little);
  return {k, r, lost, a.multiply(r, r), polynomial(a, r, curve)};
}

/// Returns e^x 2^-k.
template <class A>
Twofold<A> mantissa_of_exp(const A& a, const Exponent<A>& x) {
  const auto [top, under] = fast_sum(a, a.constant(1), x.r);
  return {top, a.fused(x.square, x.curve, a.add(under, x.tail))};
}

template <class A>
typename A::Number exp_of_sum(const A& a, typename A::Number high, typename A::Number low) {
  const auto x = reduced_exponent(a, high, low);
  const auto [top, under] = mantissa_of_exp(a, x);
  return scaled(a, a.add(top, under), x.k);
}

/// Returns e^x.
template <class A>
typename A::Number exp_of(const A& a, typename A::Number x) {
  return exp_of_sum(a, within(a, x, largest_exponent), a.constant(0));
}

/// e^|x|/2 = (great.high + great.low) 2^scale and e^-|x|/2 = small 2^scale.
template <class A>
struct HyperbolicHalves {
  Twofold<A> great;
  typename A::Number small;
  typename A::Number scale;
};

template <class A>
HyperbolicHalves<A> halves(const A& a, typename A::Number size) {
  const auto x = reduced_exponent(a, at_most(a, size, largest_exponent), a.constant(0));
  const auto mantissa = mantissa_of_exp(a, x);
  const auto great = fast_sum(a, mantissa.high, mantissa.low);
  // Beyond 2^-128 the small half cannot be seen.
  const auto apart = a.multiply(a.constant(-2), at_most(a, x.k, 64));
  const auto inverse = a.divide(a.constant(1), great.high);
  const auto corrected = a.fused(a.multiply(a.negate(inverse), inverse), great.low, inverse);
  return {great, a.multiply(corrected, power_of_two(a, apart)), a.subtract(x.k, a.constant(1))};
}

template <class A>
typename A::Number cosh_of(const A& a, typename A::Number x) {
  const auto [great, small, scale] = halves(a, a.magnitude(x));
  const auto [sum, lost] = fast_sum(a, great.high, small);
  return scaled(a, a.add(sum, a.add(lost, great.low)), scale);
}

template <class A>
typename A::Number sinh_of(const A& a, typename A::Number x) {
  constexpr std::array bend{0x1.5555555555555p-3,  0x1.111111111117cp-7,  0x1.a01a01a00dbafp-13, 0x1.71de3a609a725p-19,
                            0x1.ae644b4bc34dcp-26, 0x1.612aab540f0a1p-33, 0x1.aac7adbc70edcp-41, 0x1.3e9107333b361p-48};
  const auto size = a.magnitude(x);
  const auto [great, small, scale] = halves(a, size);
  const auto [difference, lost] = fast_sum(a, great.high, a.negate(small));
  const auto far = scaled(a, a.add(difference, a.add(lost, great.low)), scale);
  // Close to zero the halves cancel.
  const auto z = a.multiply(size, size);
  const auto near = a.fused(a.multiply(size, z), polynomial(a, z, bend), size);
  return a.flipped(a.choose(a.greater(a.constant(1), size), near, far), a.bits(x));
}

/// Returns n/(n + 2) for n = e^(2|x|) - 1, with the sign of x.
template <class A>
typename A::Number tanh_of(const A& a, typename A::Number x) {
  constexpr double to_one = 40;  // tanh is 1 beyond
  const auto twice = a.multiply(a.constant(2), at_most(a, a.magnitude(x), to_one));
  const auto reduced = reduced_exponent(a, twice, a.constant(0));
  // The rounding error of r^2 would be seen where 2^k and the rest nearly cancel.
  const auto of_square = a.fused(reduced.r, reduced.r, a.negate(reduced.square));
  const auto tail = a.fused(a.constant(0.5), of_square, reduced.tail);
  const auto [bend, lost] = fast_sum(a, reduced.r, a.fused(reduced.square, reduced.curve, tail));
  const auto power = power_of_two(a, reduced.k);
  const auto high = a.multiply(power, bend);
  const auto low = a.multiply(power, lost);
  const auto plus = [&](double one) -> Twofold<A> {
    const auto whole = fast_sum(a, power, a.constant(one));
    const auto sum = fast_sum(a, whole.high, high);
    return {sum.high, a.add(sum.low, a.add(whole.low, low))};
  };
  return a.flipped(quotient(a, plus(-1), plus(1)), a.bits(x));
}

}  // namespace herglotz::compile
