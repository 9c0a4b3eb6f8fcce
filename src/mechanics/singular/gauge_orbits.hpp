#pragma once
/// Orbits of the gauge distribution: the directions in which undetermined rates move the state, together with the
/// motion.

#include <optional>
#include <vector>

#include "singular/constraint_set.hpp"
#include "singular/solved_variables.hpp"

namespace herglotz::mechanics {

/// Returns the rank, at the points of the set, of the smallest distribution on it that contains the fields (0, free_k)
/// in (v, w) and is closed under [X d/dv + w_dot d/dw + d/dt, .] and under brackets. Returns `std::nullopt` if its
/// expressions grow too long.
std::optional<std::size_t> gauge_orbit_dimension(const System& system, const SingularAnalysis& analysis,
                                                 const std::vector<Expr>& w_dot, const ConstraintSet& set,
                                                 const SolvedVariables& solved);

}  // namespace herglotz::mechanics
