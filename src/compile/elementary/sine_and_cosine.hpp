#pragma once
/// Sine, cosine and tangent of arguments that are not huge, as lists of operations.

#include <array>
#include <utility>

#include "elementary/arithmetic.hpp"

namespace herglotz::compile {

/// The largest argument of this reduction. Larger arguments, infinities and NaN need another one. Up to here k below
/// has 31 bits: the three parts of pi/2 leave an error of 2^-130, and no double is closer to a multiple of pi/2 than
/// 2^-62.
constexpr double largest_reduced_angle = 0x1p30;

/// The sine and the cosine of an angle r with |r| <= pi/4, not added up yet, and the quarter that |x| - r is of a turn.
template <class A>
struct Quadrant {
  typename A::Whole quarter;
  Twofold<A> sine;
  Twofold<A> cosine;
};

/// Returns the quadrant of x for |x| up to `largest_reduced_angle`.
///
/// The argument is |x| = k pi/2 + r + tail with |r| <= pi/4. The polynomials are fdlibm's in __kernel_sin and
/// __kernel_cos (Sun Microsystems, 1993), evaluated in pairs of terms, since loops wait for their result.
template <class A>
Quadrant<A> quadrant(const A& a, typename A::Number x) {
  // first + second + third is pi/2 to 161 bits.
  constexpr double first = 0x1.921fb54442d18p+0;
  constexpr double second = 0x1.1a62633145c07p-54;
  constexpr double third = -0x1.f1976b7ed8fbcp-110;
  // Adding this number to another one leaves the nearest integer in the low bits.
  constexpr double shift = 0x1.8p52;

  const auto size = a.magnitude(x);
  const auto shifted = a.fused(size, a.constant(0x1.45f306dc9c883p-1), a.constant(shift));
  const auto k = a.subtract(shifted, a.constant(shift));
  const auto back = a.negate(k);
  // The rest is exact: a multiple of 2^-53 below 1.
  const auto rest = a.fused(back, a.constant(first), size);
  const auto r = a.subtract(rest, a.multiply(k, a.constant(second)));
  // The difference is exact, since the rest is a multiple of the last place of the subtracted number.
  const auto lost = a.fused(back, a.constant(second), a.subtract(rest, r));
  const auto tail = a.fused(back, a.constant(third), lost);

  const auto z = a.multiply(r, r);
  const auto zz = a.multiply(z, z);
  const auto line = [&](double c0, double c1) { return a.fused(z, a.constant(c1), a.constant(c0)); };
  const auto parabola = [&](auto p0, auto p1, auto p2) { return a.fused(zz, a.fused(zz, p2, p1), p0); };
  const auto s = parabola(line(-1.66666666666666324348e-01, 8.33333333332248946124e-03),
                          line(-1.98412698298579493134e-04, 2.75573137070700676789e-06),
                          line(-2.50507602534068634195e-08, 1.58969099521155010221e-10));
  const auto c = parabola(line(4.16666666666666019037e-02, -1.38888888888741095749e-03),
                          line(2.48015872894767294178e-05, -2.75573143513906633035e-07),
                          line(2.08757232129817482790e-09, -1.13596475577881948265e-11));
  const auto bend = a.fused(a.multiply(r, z), s, tail);
  // top + under is 1 - z/2 with its rounding error.
  const auto top = a.fused(z, a.constant(-0.5), a.constant(1.0));
  const auto under = a.fused(z, a.constant(-0.5), a.subtract(a.constant(1.0), top));
  return {a.bits(shifted), {r, bend}, {top, a.fused(zz, c, a.fused(a.negate(r), tail, under))}};
}

/// Returns a mask of the quarters that are odd.
template <class A>
typename A::Mask is_odd(const A& a, typename A::Whole quarter) {
  return a.is_negative(a.left(quarter, 63));
}

/// Returns sine and cosine for |x| up to `largest_reduced_angle`, with errors below 0.8 units in the last place.
template <class A>
std::pair<typename A::Number, typename A::Number> sine_and_cosine_near(const A& a, typename A::Number x) {
  const auto [quarter, of_sine, of_cosine] = quadrant(a, x);
  const auto sine = a.add(of_sine.high, of_sine.low);
  const auto cosine = a.add(of_cosine.high, of_cosine.low);
  const auto odd = is_odd(a, quarter);
  const auto second_bit = [&](typename A::Whole n) { return a.left(n, 62); };
  return {a.flipped(a.choose(odd, cosine, sine), a.exclusive_or(second_bit(quarter), a.bits(x))),
          a.flipped(a.choose(odd, sine, cosine), second_bit(a.plus(quarter, a.whole(1))))};
}

/// Returns the tangent for |x| up to `largest_reduced_angle`.
template <class A>
typename A::Number tangent_near(const A& a, typename A::Number x) {
  const auto [quarter, sine, cosine] = quadrant(a, x);
  const auto odd = is_odd(a, quarter);
  // The cosine begins with 1 - r^2/2, where r^2 is rounded.
  const auto r = sine.high;
  const auto of_square = a.fused(r, r, a.negate(a.multiply(r, r)));
  const Twofold<A> precise{cosine.high, a.fused(a.constant(-0.5), of_square, cosine.low)};
  const auto choose = [&](const Twofold<A>& u, const Twofold<A>& v) {
    return fast_sum(a, a.choose(odd, u.high, v.high), a.choose(odd, u.low, v.low));
  };
  const auto size = quotient(a, choose(precise, sine), choose(sine, precise));
  return a.flipped(size, a.exclusive_or(a.left(quarter, 63), a.bits(x)));
}

}  // namespace herglotz::compile
