#include "graph/number.hpp"

#include <cmath>

#include "herglotz/error.hpp"

namespace herglotz::symbolic {

Number Number::from_double(double value) {
  if (!std::isfinite(value)) {
    throw Refused("a constant is infinite or not a number", "constants must be finite real numbers");
  }
  if (const auto exact = Rational::from_double(value)) return *exact;
  Number number;
  number.exact = false;
  number.r = value;
  return number;
}

Number operator+(const Number& a, const Number& b) {
  if (a.exact && b.exact) {
    if (const auto sum = add(a.q, b.q)) return *sum;
  }
  return Number::from_double(a.value() + b.value());
}

Number operator*(const Number& a, const Number& b) {
  if (a.exact && b.exact) {
    if (const auto product = multiply(a.q, b.q)) return *product;
  }
  return Number::from_double(a.value() * b.value());
}

Number power(const Number& base, std::int64_t n) {
  if (n < 0 && base.is_zero()) {
    throw Refused("division by zero: a denominator is exactly 0", "it must be nonzero");
  }
  if (base.exact) {
    if (const auto result = power(base.q, n)) return *result;
  }
  return Number::from_double(std::pow(base.value(), static_cast<double>(n)));
}

namespace {

/// Returns the integer r with r^degree = n >= 0, or `std::nullopt` if there is none.
std::optional<std::int64_t> integer_root(std::int64_t n, std::int64_t degree) {
  const auto guess = std::llround(std::pow(static_cast<double>(n), 1.0 / static_cast<double>(degree)));
  for (std::int64_t root = guess > 0 ? guess - 1 : 0; root <= guess + 1; ++root) {
    const auto back = power(Rational(root), degree);
    if (back && *back == Rational(n)) return root;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Rational> exact_root(const Rational& base, const Rational& exponent) {
  constexpr std::int64_t kLargestDegree = 64;
  if (base.num() < 0 || exponent.den() > kLargestDegree) return std::nullopt;
  const auto num = integer_root(base.num(), exponent.den());
  const auto den = integer_root(base.den(), exponent.den());
  if (!num || !den) return std::nullopt;
  const auto root = Rational::make(*num, *den);
  return root ? power(*root, exponent.num()) : std::nullopt;
}

}  // namespace herglotz::symbolic
