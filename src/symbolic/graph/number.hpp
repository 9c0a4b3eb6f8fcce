#pragma once
/// Constant arithmetic: exact while the result fits a Rational, in floating point beyond.

#include <cstdint>
#include <optional>

#include "herglotz/symbolic/rational.hpp"

namespace herglotz::symbolic {

struct Number {
  Rational q{0};
  double r = 0.0;  ///< the value if it is not exact
  bool exact = true;

  Number() = default;
  Number(const Rational& value) : q(value) {}  // NOLINT(google-explicit-constructor): a rational is a number
  /// Returns the number of a double, exact if Rational::from_double is. Throws Refused for infinities and
  /// NaN.
  static Number from_double(double value);

  [[nodiscard]] double value() const { return exact ? q.to_double() : r; }
  [[nodiscard]] bool is(std::int64_t n) const { return exact && q == Rational(n); }
  [[nodiscard]] bool is_zero() const { return exact ? q.num() == 0 : r == 0.0; }
  [[nodiscard]] bool negative() const { return exact ? q.num() < 0 : r < 0.0; }
};

Number operator+(const Number& a, const Number& b);
Number operator*(const Number& a, const Number& b);
/// Returns base^n. Throws Refused for a zero base with n < 0.
Number power(const Number& base, std::int64_t n);
/// Returns base^(p/q) if base >= 0 and the power is exactly rational, else `std::nullopt`.
std::optional<Rational> exact_root(const Rational& base, const Rational& exponent);

}  // namespace herglotz::symbolic
