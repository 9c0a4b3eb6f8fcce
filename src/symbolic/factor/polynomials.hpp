#pragma once
/// Polynomials in several variables over the rationals: greatest common divisors, square roots and factors.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "herglotz/symbolic/rational.hpp"

namespace herglotz::symbolic::factor {

/// Exponents of all variables.
using Exponents = std::vector<std::uint16_t>;
/// Nonzero coefficients by monomial; the largest monomial in lexicographic order comes first.
using Polynomial = std::map<Exponents, Rational, std::greater<>>;

/// Exception: the allowed work is used up, or an exact coefficient does not fit.
struct Exhausted {};

/// Arithmetic in a fixed number of variables, whose effort is bounded by a number of products of terms. Every operation
/// may throw Exhausted.
class Polynomials {
 public:
  Polynomials(std::size_t variables, std::int64_t budget) : variables_(variables), budget_(budget) {}

  [[nodiscard]] Polynomial constant(const Rational& q) const;
  [[nodiscard]] Polynomial variable(std::size_t i) const;
  [[nodiscard]] Polynomial sum(const Polynomial& a, const Polynomial& b, const Rational& scale = Rational(1));
  [[nodiscard]] Polynomial product(const Polynomial& a, const Polynomial& b);
  [[nodiscard]] Polynomial power(const Polynomial& a, std::int64_t n);
  /// Returns a/b if b divides a, else `std::nullopt`.
  [[nodiscard]] std::optional<Polynomial> quotient(Polynomial a, const Polynomial& b);
  /// Returns the greatest common divisor with leading coefficient 1; the divisor of 0 and 0 is 0.
  [[nodiscard]] Polynomial gcd(const Polynomial& a, const Polynomial& b);
  /// Returns the distinct factors that are not numbers, without their multiplicities. Contents, repeated factors and
  /// quadratic polynomials whose discriminant is a square are split; any other factor is taken as irreducible.
  [[nodiscard]] std::vector<Polynomial> distinct_factors(const Polynomial& p);

  [[nodiscard]] static bool is_constant(const Polynomial& p);

 private:
  /// Coefficients by the power of one variable.
  using Univariate = std::map<std::uint16_t, Polynomial, std::greater<>>;

  void spend(std::size_t steps);
  [[nodiscard]] static Polynomial monic(Polynomial p);
  [[nodiscard]] static std::uint16_t degree(const Polynomial& p, std::size_t variable);
  [[nodiscard]] Univariate by_powers(const Polynomial& p, std::size_t variable);
  [[nodiscard]] Polynomial content(const Polynomial& p, std::size_t variable);
  [[nodiscard]] Polynomial primitive(const Polynomial& p, std::size_t variable);
  [[nodiscard]] Polynomial pseudo_remainder(Polynomial a, const Polynomial& b, std::size_t variable);
  [[nodiscard]] Polynomial derivative(const Polynomial& p, std::size_t variable);
  [[nodiscard]] std::optional<Polynomial> root(Polynomial p);
  [[nodiscard]] Polynomial without_variables(const Polynomial& p, std::vector<Polynomial>& factors);
  void collect(const Polynomial& p, std::vector<Polynomial>& factors);
  bool split_content(const Polynomial& p, std::vector<Polynomial>& factors);
  bool split_repeated(const Polynomial& p, std::size_t variable, std::vector<Polynomial>& factors);
  bool split_quadratic(const Polynomial& p, std::size_t variable, std::vector<Polynomial>& factors);

  std::size_t variables_;
  std::int64_t budget_;
};

}  // namespace herglotz::symbolic::factor
