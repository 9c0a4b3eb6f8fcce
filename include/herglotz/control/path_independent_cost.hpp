#pragma once
/// Cost that all paths of a problem have in common.

#include <optional>

#include "herglotz/control/first_order.hpp"

namespace herglotz::control {

/// Rate c(t) of the cost off(t) that every path has at time t: d off/dt = c(t) + growth off, and off(t0) = 0.
struct PathIndependentTerms {
  Expr rate;  ///< c, a function of parameters and time
  double growth = 0;
};

/// Removes from the rate of the cost, ell = l(v, w, t) + g zeta + c(t), the sum c of the terms that depend on
/// parameters and time alone, and returns what they add to zeta: with zeta' = zeta - off, d zeta'/dt = l + g zeta', and
/// nothing else changes. A large c would otherwise be the size by which costs are measured, and hide what controls do
/// to them. Returns `std::nullopt` and removes nothing if there are no such terms, if the duration is free, if g is no
/// function of parameters, or if anything but the terminal cost, which may be linear in zeta, depends on zeta.
std::optional<PathIndependentTerms> take_path_independent_terms(const Problem& problem, FirstOrder& form);

}  // namespace herglotz::control
