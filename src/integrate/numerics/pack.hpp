#pragma once
/// Numbers of W runs at once. Every operation acts lane by lane as on a double, so that code written for a type P gives
/// the same bits for P = double and in each lane of P = Pack<W>.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace herglotz::integrate {

/// Vector types of W lanes.
template <int W>
struct Registers;
template <>
struct Registers<4> {
  using Numbers [[gnu::vector_size(32)]] = double;
  using Integers [[gnu::vector_size(32)]] = std::int64_t;
};
template <>
struct Registers<8> {
  using Numbers [[gnu::vector_size(64)]] = double;
  using Integers [[gnu::vector_size(64)]] = std::int64_t;
};

template <int W>
struct Mask {
  using Vector = typename Registers<W>::Integers;
  Vector v;

  [[nodiscard]] bool operator[](int lane) const { return v[lane] != 0; }
  void set(int lane, bool on) { v[lane] = on ? -1 : 0; }
  friend Mask operator&(Mask a, Mask b) { return {a.v & b.v}; }
  friend Mask operator|(Mask a, Mask b) { return {a.v | b.v}; }
  friend Mask operator!(Mask a) { return {~a.v}; }
  static Mask of(bool on) {
    Mask mask;
    for (int lane = 0; lane < W; ++lane) mask.set(lane, on);
    return mask;
  }
  static Mask of_bits(unsigned lanes) {
    Mask mask;
    for (int lane = 0; lane < W; ++lane) mask.set(lane, (lanes >> lane & 1U) != 0);
    return mask;
  }
};
template <int W>
unsigned bits_of(Mask<W> mask) {
  unsigned lanes = 0;
  for (int lane = 0; lane < W; ++lane) lanes |= (mask[lane] ? 1U : 0U) << lane;
  return lanes;
}

template <int W>
struct Pack {
  using Vector = typename Registers<W>::Numbers;
  Vector v;

  Pack() = default;
  Pack(Vector vector) : v(vector) {}           // NOLINT(google-explicit-constructor): as a double would
  Pack(double value) : v(Vector{} + value) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] double operator[](int lane) const { return v[lane]; }
  void set(int lane, double value) { v[lane] = value; }

  friend Pack operator+(Pack a, Pack b) { return {a.v + b.v}; }
  friend Pack operator-(Pack a, Pack b) { return {a.v - b.v}; }
  friend Pack operator*(Pack a, Pack b) { return {a.v * b.v}; }
  friend Pack operator/(Pack a, Pack b) { return {a.v / b.v}; }
  friend Pack operator-(Pack a) { return {-a.v}; }
  friend Mask<W> operator<(Pack a, Pack b) { return {a.v < b.v}; }
  friend Mask<W> operator>(Pack a, Pack b) { return {a.v > b.v}; }
  friend Mask<W> operator<=(Pack a, Pack b) { return {a.v <= b.v}; }
  friend Mask<W> operator>=(Pack a, Pack b) { return {a.v >= b.v}; }
  Pack& operator+=(Pack b) { return *this = *this + b; }
  Pack& operator-=(Pack b) { return *this = *this - b; }
  Pack& operator*=(Pack b) { return *this = *this * b; }
};

/// Number of runs that a P holds, and the type of its masks.
template <class P>
struct LanesOf {
  static constexpr int width = 1;
  using MaskType = bool;
};
template <int W>
struct LanesOf<Pack<W>> {
  static constexpr int width = W;
  using MaskType = Mask<W>;
};
template <class P>
using MaskOf = typename LanesOf<P>::MaskType;

inline double select(bool mask, double a, double b) {
  return mask ? a : b;
}
template <int W>
Pack<W> select(Mask<W> mask, Pack<W> a, Pack<W> b) {
  return {mask.v ? a.v : b.v};
}
/// Sets target = value in the lanes of the mask.
template <class P>
void put(MaskOf<P> mask, P& target, P value) {
  target = select(mask, value, target);
}
inline bool any(bool mask) {
  return mask;
}
template <int W>
bool any(Mask<W> mask) {
  std::int64_t all = 0;
  for (int lane = 0; lane < W; ++lane) all |= mask.v[lane];
  return all != 0;
}
inline bool lane_of(bool mask, int) {
  return mask;
}
template <int W>
bool lane_of(Mask<W> mask, int lane) {
  return mask[lane];
}
inline double lane_of(double value, int) {
  return value;
}
template <int W>
double lane_of(Pack<W> value, int lane) {
  return value[lane];
}
inline void set_lane(double& value, int, double to) {
  value = to;
}
template <int W>
void set_lane(Pack<W>& value, int lane, double to) {
  value.set(lane, to);
}
inline void set_lane(bool& mask, int, bool to) {
  mask = to;
}
template <int W>
void set_lane(Mask<W>& mask, int lane, bool to) {
  mask.set(lane, to);
}
inline double magnitude(double a) {
  return std::abs(a);
}
template <int W>
Pack<W> magnitude(Pack<W> a) {
  using Integers = typename Registers<W>::Integers;
  return {reinterpret_cast<typename Pack<W>::Vector>(reinterpret_cast<Integers>(a.v) &
                                                     std::numeric_limits<std::int64_t>::max())};
}
/// Returns a if a > b, and b otherwise, also if a is NaN.
template <class P>
P larger(P a, P b) {
  return select(a > b, a, b);
}
template <class P>
P smaller(P a, P b) {
  return select(a < b, a, b);
}
inline double square_root(double a) {
  return std::sqrt(a);
}
template <int W>
Pack<W> square_root(Pack<W> a) {
  Pack<W> root;
  for (int lane = 0; lane < W; ++lane) root.v[lane] = std::sqrt(a.v[lane]);
  return root;
}
inline double log_one_plus(double a) {
  return std::log1p(a);
}
template <int W>
Pack<W> log_one_plus(Pack<W> a) {
  Pack<W> log;
  for (int lane = 0; lane < W; ++lane) log.v[lane] = std::log1p(a.v[lane]);
  return log;
}
/// Returns whether a is neither infinite nor NaN.
template <class P>
MaskOf<P> is_finite(P a) {
  return a * P(0.0) <= P(0.0);
}
template <class P>
MaskOf<P> finite_numbers(const P* numbers, std::size_t count) {
  P even(0.0);
  P odd(0.0);
  std::size_t i = 0;
  for (; i + 1 < count; i += 2) {
    even += numbers[i] * P(0.0);
    odd += numbers[i + 1] * P(0.0);
  }
  if (i < count) even += numbers[i] * P(0.0);
  return is_finite(even + odd);
}
inline bool finite_numbers(const double* numbers, std::size_t count) {
  bool finite = true;
  for (std::size_t i = 0; i < count; ++i)
    finite = finite & (std::abs(numbers[i]) <= std::numeric_limits<double>::max());
  return finite;
}

/// Returns the numbers behind packs.
inline double* plain(double* numbers) {
  return numbers;
}
inline const double* plain(const double* numbers) {
  return numbers;
}
template <int W>
double* plain(Pack<W>* packs) {
  return reinterpret_cast<double*>(packs);
}
template <int W>
const double* plain(const Pack<W>* packs) {
  return reinterpret_cast<const double*>(packs);
}

}  // namespace herglotz::integrate
