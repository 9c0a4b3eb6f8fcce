#pragma once
/// Exact rationals with 64-bit numerator and denominator. Every operation reports overflow instead of wrapping.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace herglotz::symbolic {

/// Exact rational num/den in lowest terms, with den > 0.
class Rational {
 public:
  constexpr Rational() = default;
  constexpr Rational(std::int64_t integer) : num_(integer) {}  // NOLINT(google-explicit-constructor): 2 means 2/1

  /// Returns num/den reduced, or `std::nullopt` if den is 0 or the reduced form does not fit.
  static std::optional<Rational> make(std::int64_t num, std::int64_t den);
  /// Returns the exact value of a decimal literal such as "0.3" or "1e-4", or `std::nullopt` if it does not fit.
  static std::optional<Rational> from_decimal(std::string_view literal);
  /// Returns the exact value of a double if its denominator is at most 2^20, and `std::nullopt` otherwise.
  static std::optional<Rational> from_double(double value);

  /// Returns num/den, which must be in lowest terms with den > 0; this is not checked.
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

/// Each function returns `std::nullopt` if the exact result does not fit in 64 bits, or on division by zero.
std::optional<Rational> add(const Rational& a, const Rational& b);
std::optional<Rational> multiply(const Rational& a, const Rational& b);
std::optional<Rational> divide(const Rational& a, const Rational& b);
std::optional<Rational> power(const Rational& a, std::int64_t n);
/// Returns -1, 0 or 1 if a is less than, equal to or greater than b; the comparison is exact.
int compare(const Rational& a, const Rational& b);

}  // namespace herglotz::symbolic
