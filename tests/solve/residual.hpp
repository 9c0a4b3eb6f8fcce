#pragma once
/// Residuals of a solution by name.

#include <cmath>
#include <string>

#include "herglotz/solve/solve.hpp"

namespace herglotz::solve::testing {

/// Returns NaN if the solution has no such residual.
inline double residual(const Solution& solution, const std::string& name) {
  for (const auto& [known, value] : solution.residuals)
    if (known == name) return value;
  return NAN;
}

}  // namespace herglotz::solve::testing
