#pragma once
/// Inverse distribution functions.

#include "herglotz/ensemble/sweep.hpp"

namespace herglotz::ensemble {

/// Returns the x below which a standard normal variable lies with probability 0 < p < 1; relative error about 1e-16
/// (Wichura, "Algorithm AS 241", 1988).
double normal_quantile(double p);
/// Returns the x below which a variable of the distribution lies with probability p, a multiple of 2^-53, so that 1 - p
/// is exact.
double quantile(const Distribution& distribution, double p);

/// Throws Refused if the numbers of the distribution of `name` do not define a distribution.
void check(const Distribution& distribution, const std::string& name);

}  // namespace herglotz::ensemble
