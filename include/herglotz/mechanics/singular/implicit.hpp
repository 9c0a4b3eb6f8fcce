#pragma once
/// The constraint algorithm for implicit equations that are not those of a Lagrangian.

#include "herglotz/mechanics/singular.hpp"

namespace herglotz::mechanics {

/// Analyses implicit equations dv/dt = X(v, w, t), 0 = g(v, w, t) as `analyse_singular` does, near start = (v, w, t).
/// Parameters and time are those of `system`. Constraints are solved for the variables in `order`, the first that has a
/// constant coefficient.
SingularAnalysis analyse_implicit(const System& system, const ImplicitSystem& equations, const std::vector<Expr>& order,
                                  std::span<const double> parameters, const std::vector<double>& start,
                                  std::uint64_t seed = 1);

}  // namespace herglotz::mechanics
