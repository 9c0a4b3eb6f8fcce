#pragma once
/// The motion on the final constraint set of a singular Lagrangian as explicit equations.

#include "herglotz/mechanics/singular.hpp"

namespace herglotz::mechanics {

/// Returns the equations with dy/dt in the place of b and the identity in the place of W, so that every program of an
/// explicit motion describes the constrained motion. On the set p = dL/dy; the rates are determined by the rows of W
/// dy/dt = b and by dG/dt = 0 for the pivots of the analysis. Rates that they leave undetermined are chosen with the
/// smallest |dy/dt|. `equations` are the result of `derive`. Throws Refused for a system whose model has
/// constraints.
Equations singular_flow(const System& system, const Equations& equations, const SingularAnalysis& analysis);

/// Returns the constraints of every level at p = dL/dy, in order.
std::vector<Expr> constraints_on_velocities(const System& system, const Equations& equations,
                                            const SingularAnalysis& analysis);

/// Returns the program of all constraints at p = dL/dy.
symbolic::Program level_constraints_program(const System& system, const Equations& equations,
                                            const SingularAnalysis& analysis);
/// Returns the program of the constraints that do not vanish identically there, then of their derivatives by (x, y, z),
/// row by row.
symbolic::Program final_set_program(const System& system, const Equations& equations, const SingularAnalysis& analysis);

}  // namespace herglotz::mechanics
