#pragma once
/// Numbers of one run or of W runs at once, for functions that are templates over the type of their numbers. Every
/// operation acts lane by lane as on a double, so that all widths give the same bits.

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

namespace herglotz::kernel {

/// Types of W numbers and of their bits.
template <int W>
struct Lanes {
  using Numbers [[gnu::vector_size(8 * W)]] = double;
  using Bits [[gnu::vector_size(8 * W)]] = std::uint64_t;
};
template <>
struct Lanes<1> {
  using Numbers = double;
  using Bits = std::uint64_t;
};
template <int W>
using NumbersOf = typename Lanes<W>::Numbers;
template <class P>
using BitsOf = typename Lanes<static_cast<int>(sizeof(P) / sizeof(double))>::Bits;

template <class P>
[[gnu::always_inline]] inline P load(const double* from) {
  P numbers;
  std::memcpy(&numbers, from, sizeof(P));
  return numbers;
}
template <class P>
[[gnu::always_inline]] inline void store(double* to, const P& numbers) {
  std::memcpy(to, &numbers, sizeof(P));
}
/// Returns the same number in all lanes.
template <class P>
[[gnu::always_inline]] inline P all(double number) {
  return P{} + number;
}
/// Returns a where the mask, which a comparison made, is set, else b.
template <class M, class P>
[[gnu::always_inline]] inline P choose(const M& mask, const P& a, const P& b) {
  return mask ? a : b;
}
template <class P>
[[gnu::always_inline]] inline P magnitude(const P& a) {
  return std::bit_cast<P>(std::bit_cast<BitsOf<P>>(a) & ~(std::uint64_t{1} << 63U));
}
/// Returns |a| with the sign of b.
template <class P>
[[gnu::always_inline]] inline P with_sign(const P& a, const P& b) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  return std::bit_cast<P>((std::bit_cast<BitsOf<P>>(a) & ~sign) | (std::bit_cast<BitsOf<P>>(b) & sign));
}
/// Returns b if a < b, else a, also if one of them is NaN.
template <class P>
[[gnu::always_inline]] inline P larger(const P& a, const P& b) {
  return choose(a < b, b, a);
}
/// Returns a mask of the numbers that are neither infinite nor NaN.
template <class P>
[[gnu::always_inline]] inline auto is_finite(const P& a) {
  return magnitude(a) <= all<P>(std::numeric_limits<double>::max());
}

}  // namespace herglotz::kernel
