#pragma once
/// The exponential for one number or for numbers in lanes.

#include <array>
#include <bit>

#include "herglotz/kernel/numbers.hpp"

namespace herglotz::kernel {

/// Returns e^x, within one unit in the last place. It is made of operations that every machine rounds correctly,
/// without fused ones and without a branch, so that all machines and all widths give the same bits.
template <class P>
[[gnu::always_inline]] inline P exponential(const P& x) {
  // log 2 is a sum of its first 32 bits, whose product with an exponent is exact, and the rest.
  constexpr double log_2_high = 0x1.62e42feep-1;
  constexpr double log_2_low = 0x1.a39ef35793c76p-33;
  constexpr double to_whole = 0x1.8p52;  // a sum with this number has the nearest whole number in its low bits
  constexpr double beyond = 800;         // e^x is infinite or 0 here
  // 1/n! for n = 2, ..., 14: the next term of e^r, |r| <= log(2)/2, is below 1e-19.
  constexpr std::array<double, 13> c{1.0 / 2,         1.0 / 6,          1.0 / 24,         1.0 / 120,     1.0 / 720,
                                     1.0 / 5040,      1.0 / 40320,      1.0 / 362880,     1.0 / 3628800, 1.0 / 39916800,
                                     1.0 / 479001600, 1.0 / 6227020800, 1.0 / 87178291200};
  const P below = choose(x > all<P>(beyond), all<P>(beyond), x);
  const P bounded = choose(below < all<P>(-beyond), all<P>(-beyond), below);
  const P k = (bounded * 0x1.71547652b82fep+0 + to_whole) - to_whole;
  const P near = bounded - k * log_2_high;
  const P small = k * log_2_low;
  const P r = near - small;
  const P lost = (near - r) - small;
  // Neighbours are joined first, so that few operations wait for one another.
  const P square = r * r;
  const P fourth = square * square;
  const P low = (c[0] + c[1] * r) + square * (c[2] + c[3] * r);
  const P middle = (c[4] + c[5] * r) + square * (c[6] + c[7] * r);
  const P high = (c[8] + c[9] * r) + square * (c[10] + c[11] * r) + fourth * c[12];
  const P curve = low + fourth * (middle + fourth * high);
  const P mantissa = 1 + (r + (lost + square * curve));
  const auto power = [](const P& n) {
    return std::bit_cast<P>(std::bit_cast<BitsOf<P>>(n + (to_whole + 1023)) << 52U);
  };
  const P half = (k * 0.5 + to_whole) - to_whole;
  return mantissa * power(half) * power(k - half);
}

}  // namespace herglotz::kernel
