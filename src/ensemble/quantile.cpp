#include "quantile.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "draws.hpp"
#include "elementary.hpp"
#include "herglotz/error.hpp"

namespace herglotz::ensemble {
namespace {

using Coefficients = std::array<double, 8>;

constexpr Coefficients c{1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                         3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                         2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr Coefficients d{1.0,
                         2.05319162663775882187e0,
                         1.67638483018380384940e0,
                         6.89767334985100004550e-1,
                         1.48103976427480074590e-1,
                         1.51986665636164571966e-2,
                         5.47593808499534494600e-4,
                         1.05075007164441684324e-9};
constexpr Coefficients e{6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                         2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                         2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr Coefficients f{1.0,
                         5.99832206555887937690e-1,
                         1.36929880922735805310e-1,
                         1.48753612908506148525e-2,
                         7.86869131145613259100e-4,
                         1.84631831751005468180e-5,
                         1.42151175831644588870e-7,
                         2.04426310338993978564e-15};

[[noreturn]] void refuse(const std::string& name, const char* what, const char* remedy) {
  throw Refused(fmt::format("the distribution of '{}' {}", name, what), remedy);
}

}  // namespace

double normal_quantile(double p) {
  const double q = p - 0.5;
  if (is_near_middle(q)) return normal_near_middle(q);
  const double r = std::sqrt(-static_cast<double>(logarithm(q < 0 ? p : 1 - p)));
  const double x =
      r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6) : polynomial(e, r - 5) / polynomial(f, r - 5);
  return q < 0 ? -x : x;
}

namespace {

/// Returns the quantile at p, where a normal variable has the quantile `normal`.
double quantile(const ProbabilityDistribution& distribution, double p, double normal) {
  const long double a = distribution.a;
  const long double b = distribution.b;
  switch (distribution.kind) {
    case ProbabilityDistribution::Kind::uniform:
      return static_cast<double>(a + (b - a) * p);
    case ProbabilityDistribution::Kind::log_uniform:
      return static_cast<double>(a * exponential(logarithm(b / a) * p));
    case ProbabilityDistribution::Kind::normal:
      return static_cast<double>(a + b * normal);
    case ProbabilityDistribution::Kind::log_normal:
      return static_cast<double>(exponential(a + b * normal));
    case ProbabilityDistribution::Kind::exponential:
      return static_cast<double>(-a * logarithm(1 - static_cast<long double>(p)));
  }
  throw std::logic_error("a distribution of no kind");
}

bool needs_normal(const ProbabilityDistribution& distribution) {
  return distribution.kind == ProbabilityDistribution::Kind::normal ||
         distribution.kind == ProbabilityDistribution::Kind::log_normal;
}

}  // namespace

double quantile(const ProbabilityDistribution& distribution, double p) {
  return quantile(distribution, p, needs_normal(distribution) ? normal_quantile(p) : 0);
}

void quantiles(const ProbabilityDistribution& distribution, const double* numbers, std::size_t count, int lanes,
               double* out) {
  if (needs_normal(distribution))
    (lanes == 8 ? draw_normal<8> : lanes == 4 ? draw_normal<4> : draw_normal<1>)(numbers, count, out);
  for (std::size_t k = 0; k < count; ++k) out[k] = quantile(distribution, numbers[k], out[k]);
}

void check(const ProbabilityDistribution& distribution, const std::string& name) {
  using Kind = ProbabilityDistribution::Kind;
  const double a = distribution.a;
  const double b = distribution.b;
  const bool two = distribution.kind != Kind::exponential;
  if (!std::isfinite(a) || (two && !std::isfinite(b))) refuse(name, "is not given by finite numbers", "give such");
  switch (distribution.kind) {
    case Kind::uniform:
      if (!(a < b)) refuse(name, "has no width", "its upper end lies above its lower");
      return;
    case Kind::log_uniform:
      if (!(0 < a)) refuse(name, "is logarithmic and reaches 0", "give ends above 0");
      if (!(a < b)) refuse(name, "has no width", "its upper end lies above its lower");
      return;
    case Kind::normal:
    case Kind::log_normal:
      if (!(b > 0)) refuse(name, "has no positive deviation", "give one above 0");
      return;
    case Kind::exponential:
      if (!(a > 0)) refuse(name, "has no positive mean", "give one above 0");
      return;
  }
}

}  // namespace herglotz::ensemble
