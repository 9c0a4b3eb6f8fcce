#pragma once
/// Tests of what a fit leaves in its residuals.

#include <span>

namespace herglotz::fit {

/// Returns sum (e_i - e_{i-1})^2 / sum e_i^2; NaN for fewer than two residuals.
double durbin_watson(std::span<const double> residuals);

/// Returns how many more runs of one sign there are than expected for independent signs, in standard deviations; NaN if
/// all residuals have the same sign. [A. Wald, J. Wolfowitz, Ann. Math. Statist. 11 (1940)].
double excess_of_runs(std::span<const double> residuals);

}  // namespace herglotz::fit
