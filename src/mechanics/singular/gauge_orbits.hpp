#pragma once
/// What the undetermined rates move, together with the motion: orbits of the gauge distribution.

#include <optional>
#include <vector>

#include "singular/constraint_set.hpp"
#include "singular/solved_variables.hpp"

namespace herglotz::mechanics {

/// The rank, at the points of the set, of the smallest distribution on it that has the fields (0, free_k) in (v, w) and
/// is closed under [X d/dv + w_dot d/dw + d/dt, .] and under brackets. Nothing where its expressions grow too long.
std::optional<std::size_t> gauge_orbit_dimension(const System& system, const SingularAnalysis& analysis,
                                                 const std::vector<Expr>& w_dot, const ConstraintSet& set,
                                                 const SolvedVariables& solved);

}  // namespace herglotz::mechanics
