#pragma once
/// The motion on the final constraint set of a singular Lagrangian as explicit equations.

#include "herglotz/mechanics/singular.hpp"

namespace herglotz::mechanics {

/// The equations with dy/dt in the place of b and the identity in the place of W, so that every program of an explicit
/// motion is that of the constrained one. On the set p = dL/dy, and rows that determine rates are those of W dy/dt = b
/// and dG/dt = 0 for the pivots of the analysis. Rates that they leave undetermined are chosen with the smallest
/// |dy/dt|. `equations` are those that `derive` gives. For systems without constraints of the model; others throw
/// std::invalid_argument.
Equations singular_flow(const System& system, const Equations& equations, const SingularAnalysis& analysis);

/// The constraints of every level at p = dL/dy, in order.
std::vector<Expr> constraints_on_velocities(const System& system, const Equations& equations,
                                            const SingularAnalysis& analysis);

/// All constraints at p = dL/dy.
symbolic::Program level_constraints_program(const System& system, const Equations& equations,
                                            const SingularAnalysis& analysis);
/// Those which do not vanish identically there, then their derivatives by (x, y, z), row by row.
symbolic::Program final_set_program(const System& system, const Equations& equations, const SingularAnalysis& analysis);

}  // namespace herglotz::mechanics
