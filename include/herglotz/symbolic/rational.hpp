#pragma once
/// Exact rationals with 64-bit numerator and denominator. Every operation reports overflow instead of wrapping.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace herglotz::symbolic {

/// num/den in lowest terms, den > 0.
class Rational {
 public:
  constexpr Rational() = default;
  constexpr Rational(std::int64_t integer) : num_(integer) {}  // NOLINT(google-explicit-constructor): 2 means 2/1

  /// num/den reduced; nothing when den is 0 or the reduced form does not fit.
  static std::optional<Rational> make(std::int64_t num, std::int64_t den);
  /// The exact value of a decimal literal such as "0.3" or "1e-4"; nothing when it does not fit.
  static std::optional<Rational> from_decimal(std::string_view literal);
  /// The exact value of a double whose denominator is at most 2^20; nothing otherwise.
  static std::optional<Rational> from_double(double value);

  /// num/den already in lowest terms with den > 0; unchecked.
  static constexpr Rational make_reduced(std::int64_t num, std::int64_t den) {
    Rational q;
    q.num_ = num;
    q.den_ = den;
    return q;
  }

  [[nodiscard]] constexpr std::int64_t num() const { return num_; }
  [[nodiscard]] constexpr std::int64_t den() const { return den_; }
  [[nodiscard]] constexpr bool is_integer() const { return den_ == 1; }
  [[nodiscard]] double to_double() const;
  [[nodiscard]] std::string to_string() const;

  friend constexpr bool operator==(const Rational&, const Rational&) = default;

 private:
  std::int64_t num_ = 0;
  std::int64_t den_ = 1;
};

/// Each returns nothing when the exact result does not fit in 64 bits (or on division by zero).
std::optional<Rational> add(const Rational& a, const Rational& b);
std::optional<Rational> multiply(const Rational& a, const Rational& b);
std::optional<Rational> divide(const Rational& a, const Rational& b);
std::optional<Rational> power(const Rational& a, std::int64_t n);
/// -1, 0 or 1 as a is less than, equal to or greater than b; exact.
int compare(const Rational& a, const Rational& b);

}  // namespace herglotz::symbolic
