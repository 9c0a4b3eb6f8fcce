#pragma once
/// The arithmetic of one number, for the elementary functions.

#include <bit>
#include <cmath>
#include <cstdint>

namespace herglotz::compile {

struct Doubles {
  using Number = double;
  using Whole = std::uint64_t;
  using Mask = bool;
  static double constant(double value) { return value; }
  static double add(double a, double b) { return a + b; }
  static double subtract(double a, double b) { return a - b; }
  static double multiply(double a, double b) { return a * b; }
  static double divide(double a, double b) { return a / b; }
  static double negate(double a) { return -a; }
  static double square_root(double a) { return std::sqrt(a); }
  static double magnitude(double a) { return std::abs(a); }
  static double fused(double a, double b, double c) { return std::fma(a, b, c); }
  static bool greater(double a, double b) { return a > b; }
  static bool equal(double a, double b) { return a == b; }
  static bool unordered(double a, double b) { return std::isnan(a) || std::isnan(b); }
  static bool all(bool a, bool b) { return a && b; }
  static double choose(bool where, double a, double b) { return where ? a : b; }
  static Whole whole(Whole value) { return value; }
  static Whole bits(double a) { return std::bit_cast<Whole>(a); }
  static double number(Whole n) { return std::bit_cast<double>(n); }
  static Whole plus(Whole a, Whole b) { return a + b; }
  static Whole minus(Whole a, Whole b) { return a - b; }
  static Whole both(Whole a, Whole b) { return a & b; }
  static Whole either(Whole a, Whole b) { return a | b; }
  static Whole exclusive_or(Whole a, Whole b) { return a ^ b; }
  static Whole left(Whole n, unsigned places) { return n << places; }
  static Whole right(Whole n, unsigned places) { return n >> places; }
  /// Returns true if the highest bit of n is set.
  static bool is_negative(Whole n) { return (n >> 63U) != 0; }
  /// Returns a with the opposite sign if the highest bit of n is set.
  static double flipped(double a, Whole n) { return is_negative(n) ? -a : a; }
};

}  // namespace herglotz::compile
