#include "elementary.hpp"

#include <cmath>
#include <limits>

namespace herglotz::ensemble {
namespace {

// log 2 as a sum: 32 bits, whose product with an exponent is exact, and the rest.
constexpr long double log_2_high = 0x0.b17217f7p0L;
constexpr long double log_2_low = 0x1.a39ef35793c7673007e5ed5e81e7p-33L;
constexpr long double root_half = 0.70710678118654752440L;

}  // namespace

long double exponential(long double x) {
  if (x > 20000) return std::numeric_limits<long double>::infinity();
  if (x < -20000) return 0;
  const auto k = static_cast<int>(std::floor(x / (log_2_high + log_2_low) + 0.5L));
  const long double r = (x - k * log_2_high) - k * log_2_low;
  long double sum = 1;
  for (int n = 22; n > 0; --n) sum = 1 + r * sum / n;
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
  long double sum = 0;
  for (int n = 27; n > 0; n -= 2) sum = z * z * sum + 1.0L / n;
  return k * log_2_high + (2 * z * sum + k * log_2_low);
}

}  // namespace herglotz::ensemble
