#pragma once
/// Lanes written by hand: a few AVX-512 or AVX2 registers side by side, so that one waits while another works.

#include <cmath>
#include <cstddef>
#include <cstring>

namespace by_hand {

#ifdef __AVX512F__
constexpr std::size_t register_bytes = 64;
#else
constexpr std::size_t register_bytes = 32;
#endif
constexpr std::size_t registers = 2;
constexpr std::size_t lanes = registers * register_bytes / sizeof(double);

using Register __attribute__((vector_size(register_bytes))) = double;
using Integers __attribute__((vector_size(register_bytes))) = long long;

/// `lanes` numbers.
struct Pack {
  Register part[registers];

  Pack() = default;
  Pack(double value) {
    for (auto& p : part) p = value - Register{};
  }
  double operator[](std::size_t lane) const { return part[lane / (lanes / registers)][lane % (lanes / registers)]; }
  void set(std::size_t lane, double value) { part[lane / (lanes / registers)][lane % (lanes / registers)] = value; }
};

template <class Operation>
inline Pack each(const Pack& a, const Pack& b, Operation operation) {
  Pack result;
  for (std::size_t i = 0; i < registers; ++i) result.part[i] = operation(a.part[i], b.part[i]);
  return result;
}

inline Pack operator+(const Pack& a, const Pack& b) {
  return each(a, b, [](Register x, Register y) { return x + y; });
}
inline Pack operator-(const Pack& a, const Pack& b) {
  return each(a, b, [](Register x, Register y) { return x - y; });
}
inline Pack operator*(const Pack& a, const Pack& b) {
  return each(a, b, [](Register x, Register y) { return x * y; });
}
inline Pack operator/(const Pack& a, const Pack& b) {
  return each(a, b, [](Register x, Register y) { return x / y; });
}
inline Pack operator-(const Pack& a) {
  return Pack(0.0) - a;
}

/// sin(x + shift pi/2) for |x| < 1e9: x less the nearest multiple of pi, by a polynomial of degree 17 (to 4e-17 of sin
/// on
/// [-pi/2, pi/2], by Chebyshev interpolation), with the sign of that multiple.
inline Register sine(Register x, double shift) {
  constexpr double c[] = {-0.16666666666666666,   0.008333333333333316,    -0.00019841269841254974,
                          2.7557319219163234e-06, -2.5052107616996182e-08, 1.6058977312464087e-10,
                          -7.643970296798572e-13, 2.7314447669863995e-15};
  constexpr double round = 6755399441055744.0;  // 1.5 2^52: adding it leaves the integer in the last bits
  const Register rounded = x * 0.3183098861837907 + shift / 2 + round;
  Integers bits;
  std::memcpy(&bits, &rounded, sizeof bits);
  const Register multiple = rounded - round - shift / 2;
  Register r = x - multiple * 3.141592653589793;
  r = r - multiple * 1.2246467991473532e-16;
  const Register u = r * r;
  Register p = c[7] - Register{};
  for (int k = 6; k >= 0; --k) p = p * u + c[k];
  Register result = r + r * (u * p);
  Integers value;
  std::memcpy(&value, &result, sizeof value);
  value ^= bits << 63;
  std::memcpy(&result, &value, sizeof value);
  return result;
}

inline Pack sin(const Pack& x) {
  Pack result;
  for (std::size_t i = 0; i < registers; ++i) result.part[i] = sine(x.part[i], 0);
  return result;
}
inline Pack cos(const Pack& x) {
  Pack result;
  for (std::size_t i = 0; i < registers; ++i) result.part[i] = sine(x.part[i], 1);
  return result;
}
inline Pack sqrt(const Pack& x) {
  Pack result;
  for (std::size_t i = 0; i < registers; ++i)
    for (std::size_t k = 0; k < register_bytes / sizeof(double); ++k) result.part[i][k] = std::sqrt(x.part[i][k]);
  return result;
}
inline Pack abs(const Pack& x) {
  return each(x, x, [](Register a, Register) { return a < 0 ? -a : a; });
}
inline Pack max(const Pack& a, const Pack& b) {
  return each(a, b, [](Register x, Register y) { return x > y ? x : y; });
}
inline Pack min(const Pack& a, const Pack& b) {
  return each(a, b, [](Register x, Register y) { return x < y ? x : y; });
}

/// Which lanes hold something.
struct Mask {
  Integers part[registers];
};
inline Mask at_most(const Pack& a, const Pack& b) {
  Mask result;
  for (std::size_t i = 0; i < registers; ++i) result.part[i] = a.part[i] <= b.part[i];
  return result;
}
inline Pack select(const Mask& mask, const Pack& a, const Pack& b) {
  Pack result;
  for (std::size_t i = 0; i < registers; ++i) result.part[i] = mask.part[i] ? a.part[i] : b.part[i];
  return result;
}
inline bool none_above(const Pack& x, double bound) {
  bool none = true;
  for (std::size_t lane = 0; lane < lanes; ++lane) none = none && !(x[lane] > bound);
  return none;
}

}  // namespace by_hand
