#pragma once
/// Cost that all paths of a problem have in common.

#include "herglotz/control/first_order.hpp"

namespace herglotz::control {

/// Cost off(t) = rate (exp(growth (t - t0)) - 1)/growth that every path has at time t, which solves
/// d off/dt = rate + growth off and vanishes at t0; rate (t - t0) if growth = 0.
struct PathIndependentCost {
  double rate = 0;
  double growth = 0;

  [[nodiscard]] bool is_zero() const { return rate == 0; }
  /// Returns off at the time `passed` after the start.
  [[nodiscard]] double at(double passed) const;
  /// Returns d off/dt there.
  [[nodiscard]] double rate_at(double passed) const;
};

/// Removes from the rate of the cost, ell = l(v, w, t) + g zeta + c, the sum c of the terms that depend on parameters
/// alone, and returns what they add to zeta: with zeta' = zeta - off, d zeta'/dt = l + g zeta', and nothing else
/// changes. A large c would otherwise be the size by which costs are measured, and hide what controls do to them.
/// Returns zero and removes nothing if the duration is free, if g is no function of parameters, or if anything but the
/// terminal cost, which may be linear in zeta, depends on zeta.
PathIndependentCost take_path_independent_cost(const Problem& problem, FirstOrder& form);

}  // namespace herglotz::control
