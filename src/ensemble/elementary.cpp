#include "elementary.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace herglotz::ensemble {
namespace {

// log 2 is a sum of its first 32 bits, whose product with an exponent is exact, and the rest.
constexpr long double log_2_high = 0x0.b17217f7p0L;
constexpr long double log_2_low = 0x1.a39ef35793c7673007e5ed5e81e7p-33L;
constexpr long double root_half = 0.70710678118654752440L;

/// Numbers 1/n! for n = 17, ..., 0: the next term of e^r, |r| <= log(2)/2, is below 1e-23.
constexpr auto inverse_factorials = [] {
  std::array<long double, 18> c{};
  long double factorial = 1;
  for (std::size_t n = 0; n < c.size(); ++n) {
    c[c.size() - 1 - n] = 1 / factorial;
    factorial *= static_cast<long double>(n + 1);
  }
  return c;
}();

/// Numbers 1/n for n = 25, 23, ..., 1: the next term of artanh(z)/z, |z| <= 0.172, is below 1e-21.
constexpr auto inverse_odd_numbers = [] {
  std::array<long double, 13> c{};
  for (std::size_t k = 0; k < c.size(); ++k) c[c.size() - 1 - k] = 1 / static_cast<long double>(2 * k + 1);
  return c;
}();

}  // namespace

long double exponential(long double x) {
  if (x > 20000) return std::numeric_limits<long double>::infinity();
  if (x < -20000) return 0;
  const auto k = static_cast<int>(std::floor(x / (log_2_high + log_2_low) + 0.5L));
  const long double r = (x - k * log_2_high) - k * log_2_low;
  long double sum = 0;
  for (const long double c : inverse_factorials) sum = sum * r + c;
  return std::ldexp(sum, k);
}

long double logarithm(long double x) {
  int k = 0;
  long double m = std::frexp(x, &k);
  if (m < root_half) {
    m *= 2;
    --k;
  }
  // log m = 2 artanh((m - 1)/(m + 1))
  const long double z = (m - 1) / (m + 1);
  const long double square = z * z;
  long double sum = 0;
  for (const long double c : inverse_odd_numbers) sum = sum * square + c;
  return k * log_2_high + (2 * z * sum + k * log_2_low);
}

}  // namespace herglotz::ensemble
