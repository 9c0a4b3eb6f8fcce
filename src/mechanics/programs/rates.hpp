#pragma once
/// Rates of a motion as expressions of its state.

#include <vector>

#include "herglotz/mechanics/tangent.hpp"

namespace herglotz::mechanics {

/// Rates of (x, w, z) by straight-line code, and the checks of the elimination in it.
struct SolvedRates {
  std::vector<Expr> rates;
  std::vector<Expr> checks;
};

/// Returns the rates. Throws as tangent_motion does.
SolvedRates rates_of(const System& system, const Equations& equations, EliminationOrder elimination);

}  // namespace herglotz::mechanics
