#pragma once
/// Steps that the elementary functions share, for numbers of any kind.
///
/// Each function is one list of operations without a branch, a template over its arithmetic `A`: the interpreter runs
/// it with doubles (`llvm/functions.cpp`), and the emitter writes it for all lanes (`llvm/lanes.hpp`). An arithmetic
/// has the types Number, Whole (64 bits) and Mask, the operations of IEEE 754 with fused multiply-add, and operations
/// on bits. Results are equal to the last bit wherever these operations are rounded correctly. `scripts/minimax.py`
/// computes the coefficients of the polynomials.

#include <array>
#include <cstddef>
#include <limits>

namespace herglotz::compile {

constexpr double ln2_high = 0x1.62e42fefa39efp-1;
constexpr double ln2_low = 0x1.abc9e3b39803fp-56;
constexpr double half_pi_high = 0x1.921fb54442d18p+0;
constexpr double half_pi_low = 0x1.1a62633145c07p-54;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// An unevaluated sum: `low` is at most about the last place of `high`.
template <class A>
struct Twofold {
  typename A::Number high;
  typename A::Number low;
};

/// Returns x + y with its rounding error. Exact if |x| >= |y| or x = 0.
template <class A>
Twofold<A> fast_sum(const A& a, typename A::Number x, typename A::Number y) {
  const auto sum = a.add(x, y);
  return {sum, a.subtract(y, a.subtract(sum, x))};
}

/// Returns n/d, rounded once but for an error of the second order.
template <class A>
typename A::Number quotient(const A& a, const Twofold<A>& n, const Twofold<A>& d) {
  const auto inverse = a.divide(a.constant(1), d.high);
  const auto near = a.multiply(n.high, inverse);
  const auto back = a.negate(near);
  const auto rest = a.fused(back, d.low, a.add(a.fused(back, d.high, n.high), n.low));
  return a.fused(rest, inverse, near);
}

/// Returns c[0] + c[1] z + .. by Estrin's scheme: neighbours are joined first, since loops wait for their result.
template <class A, std::size_t n>
typename A::Number polynomial(const A& a, typename A::Number z, const std::array<double, n>& c) {
  std::array<typename A::Number, (n + 1) / 2> terms;
  for (std::size_t i = 0; i < n; i += 2)
    terms[i / 2] = i + 1 < n ? a.fused(z, a.constant(c[i + 1]), a.constant(c[i])) : a.constant(c[i]);
  auto power = z;
  for (std::size_t held = terms.size(); held > 1; held = (held + 1) / 2) {
    power = a.multiply(power, power);
    for (std::size_t i = 0; i < held; i += 2)
      terms[i / 2] = i + 1 < held ? a.fused(power, terms[i + 1], terms[i]) : terms[i];
  }
  return terms[0];
}

/// Adding this number to another one of at most 2^51 leaves the nearest whole number in the low bits.
constexpr double to_whole = 0x1.8p52;

template <class A>
typename A::Number nearest(const A& a, typename A::Number x) {
  return a.subtract(a.add(x, a.constant(to_whole)), a.constant(to_whole));
}

/// Returns 2^n for a whole number n from -1022 to 1023.
template <class A>
typename A::Number power_of_two(const A& a, typename A::Number n) {
  return a.number(a.left(a.bits(a.add(n, a.constant(to_whole + 1023))), 52));
}

/// Returns x 2^n for a whole number n up to 2044 in size, with one rounding for |x| near 1.
template <class A>
typename A::Number scaled(const A& a, typename A::Number x, typename A::Number n) {
  const auto half = nearest(a, a.multiply(n, a.constant(0.5)));
  return a.multiply(a.multiply(x, power_of_two(a, half)), power_of_two(a, a.subtract(n, half)));
}

/// Returns the smaller one of x and `bound`; NaN stays.
template <class A>
typename A::Number at_most(const A& a, typename A::Number x, double bound) {
  return a.choose(a.greater(x, a.constant(bound)), a.constant(bound), x);
}

/// Returns x with its size reduced to `bound` if it is larger; NaN stays.
template <class A>
typename A::Number within(const A& a, typename A::Number x, double bound) {
  return a.choose(a.greater(a.constant(-bound), x), a.constant(-bound), at_most(a, x, bound));
}

}  // namespace herglotz::compile
