#include "herglotz/symbolic/rational.hpp"

#include <cmath>
#include <limits>

namespace herglotz::symbolic {

namespace {

__extension__ typedef __int128 Wide;

constexpr Wide kMin = std::numeric_limits<std::int64_t>::min();
constexpr Wide kMax = std::numeric_limits<std::int64_t>::max();

Wide gcd(Wide a, Wide b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const Wide r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/// Returns num/den in lowest terms, or `std::nullopt` if it does not fit. Both must be below 2^126 in size.
std::optional<Rational> reduced(Wide num, Wide den) {
  if (den == 0) return std::nullopt;
  const Wide common = gcd(num, den);
  num /= common;
  den /= common;
  if (den < 0) {
    num = -num;
    den = -den;
  }
  if (num < kMin || num > kMax || den > kMax) return std::nullopt;
  return Rational::make_reduced(static_cast<std::int64_t>(num), static_cast<std::int64_t>(den));
}

}  // namespace

std::optional<Rational> Rational::make(std::int64_t num, std::int64_t den) {
  return reduced(num, den);
}

std::optional<Rational> Rational::from_decimal(std::string_view literal) {
  constexpr int kMaxScale = 37;  // 10^37 still fits 128 bits, and no larger denominator can cancel down to 64
  std::size_t at = 0;
  bool negative = false;
  if (at < literal.size() && (literal[at] == '-' || literal[at] == '+')) negative = literal[at++] == '-';
  Wide digits = 0;
  int scale = 0;
  int zeros = 0;  // trailing zeros of the mantissa, folded in only when another digit follows
  bool point = false;
  bool any = false;
  for (; at < literal.size(); ++at) {
    const char c = literal[at];
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    any = true;
    if (point) --scale;
    if (c == '0') {
      if (digits != 0) ++zeros;
      continue;
    }
    for (; zeros >= 0; --zeros) {
      if (digits > kMax) return std::nullopt;
      digits *= 10;
    }
    zeros = 0;
    digits += c - '0';
  }
  if (!any) return std::nullopt;
  if (at < literal.size()) {
    if (literal[at] != 'e' && literal[at] != 'E') return std::nullopt;
    ++at;
    bool minus = false;
    if (at < literal.size() && (literal[at] == '-' || literal[at] == '+')) minus = literal[at++] == '-';
    if (at == literal.size()) return std::nullopt;
    int exponent = 0;
    for (; at < literal.size(); ++at) {
      if (literal[at] < '0' || literal[at] > '9') return std::nullopt;
      if (exponent < 1'000'000) exponent = 10 * exponent + (literal[at] - '0');
    }
    scale += minus ? -exponent : exponent;
  }
  if (digits == 0) return Rational(0);
  scale += zeros;
  if (digits > kMax || scale > kMaxScale || scale < -kMaxScale) return std::nullopt;
  Wide den = 1;
  for (; scale > 0; --scale) {
    digits *= 10;
    if (digits > kMax) return std::nullopt;
  }
  for (; scale < 0; ++scale) {
    if (digits % 10 == 0) {
      digits /= 10;
    } else {
      den *= 10;
    }
  }
  return reduced(negative ? -digits : digits, den);
}

std::optional<Rational> Rational::from_double(double value) {
  constexpr std::int64_t kLargestDenominator = std::int64_t{1} << 20U;
  constexpr double kLimit = 9223372036854775808.0;
  if (!std::isfinite(value)) return std::nullopt;
  std::int64_t den = 1;
  while (value != std::trunc(value) && den < kLargestDenominator) {
    value *= 2;
    den *= 2;
  }
  if (value != std::trunc(value) || std::abs(value) >= kLimit) return std::nullopt;
  return make(static_cast<std::int64_t>(value), den);
}

double Rational::to_double() const {
  // If the wider type has 64 mantissa bits, it holds both 64-bit integers exactly.
  return static_cast<double>(static_cast<long double>(num_) / static_cast<long double>(den_));
}

std::string Rational::to_string() const {
  return den_ == 1 ? std::to_string(num_) : std::to_string(num_) + "/" + std::to_string(den_);
}

std::optional<Rational> add(const Rational& a, const Rational& b) {
  if (a.is_integer() && b.is_integer()) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.num(), b.num(), &sum)) return std::nullopt;
    return Rational(sum);
  }
  return reduced(Wide{a.num()} * b.den() + Wide{b.num()} * a.den(), Wide{a.den()} * b.den());
}

std::optional<Rational> multiply(const Rational& a, const Rational& b) {
  if (a.is_integer() && b.is_integer()) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a.num(), b.num(), &product)) return std::nullopt;
    return Rational(product);
  }
  return reduced(Wide{a.num()} * b.num(), Wide{a.den()} * b.den());
}

std::optional<Rational> divide(const Rational& a, const Rational& b) {
  return reduced(Wide{a.num()} * b.den(), Wide{a.den()} * b.num());
}

std::optional<Rational> power(const Rational& a, std::int64_t n) {
  if (n < 0) {
    const auto inverse = divide(Rational(1), a);
    if (!inverse || n == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
    return power(*inverse, -n);
  }
  Rational result(1);
  Rational square = a;
  for (;;) {
    if (n % 2 == 1) {
      const auto next = multiply(result, square);
      if (!next) return std::nullopt;
      result = *next;
    }
    n /= 2;
    if (n == 0) return result;
    const auto next = multiply(square, square);
    if (!next) return std::nullopt;
    square = *next;
  }
}

int compare(const Rational& a, const Rational& b) {
  const Wide left = Wide{a.num()} * b.den();
  const Wide right = Wide{b.num()} * a.den();
  return left < right ? -1 : (left > right ? 1 : 0);
}

}  // namespace herglotz::symbolic
