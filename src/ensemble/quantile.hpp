#pragma once
/// Inverse distribution functions.

#include "herglotz/ensemble/sweep.hpp"

namespace herglotz::ensemble {

/// The x below which a standard normal variable lies with probability 0 < p < 1; relative error about 1e-16
/// (Wichura, "Algorithm AS 241", 1988).
double normal_quantile(double p);
/// The same of any distribution, for p a multiple of 2^-53, where 1 - p is exact.
double quantile(const Distribution& distribution, double p);

/// Throws std::invalid_argument where the numbers of the distribution of `name` do not make one.
void check(const Distribution& distribution, const std::string& name);

}  // namespace herglotz::ensemble
