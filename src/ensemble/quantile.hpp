#pragma once
/// Inverse distribution functions.

#include <array>

#include "herglotz/ensemble/sweep.hpp"
#include "herglotz/kernel/numbers.hpp"

namespace herglotz::ensemble {

/// Returns c[0] + c[1] x + ..
template <class P>
[[gnu::always_inline]] inline P polynomial(const std::array<double, 8>& c, const P& x) {
  P sum = kernel::all<P>(0);
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * x + c[k];
  return sum;
}

/// Returns whether normal_near_middle is accurate at q.
[[gnu::always_inline]] inline bool is_near_middle(double q) {
  return (q < 0 ? -q : q) <= 0.425;
}

/// Returns the normal quantile of 1/2 + q for small |q|, of one number or of several.
template <class P>
[[gnu::always_inline]] inline P normal_near_middle(const P& q) {
  constexpr std::array a{3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                         1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                         3.3430575583588128105e+4, 2.5090809287301226727e+3};
  constexpr std::array b{1.0,
                         4.2313330701600911252e+1,
                         6.8718700749205790830e+2,
                         5.3941960214247511077e+3,
                         2.1213794301586595867e+4,
                         3.9307895800092710610e+4,
                         2.8729085735721942674e+4,
                         5.2264952788528545610e+3};
  const P r = 0.180625 - q * q;
  return q * polynomial(a, r) / polynomial(b, r);
}

/// Returns the x below which a standard normal variable lies with probability 0 < p < 1; relative error about 1e-16
/// (Wichura, "Algorithm AS 241", 1988).
double normal_quantile(double p);
/// Returns the x below which a variable of the distribution lies with probability p, a multiple of 2^-53, so that 1 - p
/// is exact.
double quantile(const ProbabilityDistribution& distribution, double p);
/// Computes the quantiles of `count` numbers, which lie elsewhere than `out`, with code for registers of `lanes`
/// numbers.
void quantiles(const ProbabilityDistribution& distribution, const double* numbers, std::size_t count, int lanes,
               double* out);

/// Throws Refused if the numbers of the distribution of `name` do not define a distribution.
void check(const ProbabilityDistribution& distribution, const std::string& name);

}  // namespace herglotz::ensemble
