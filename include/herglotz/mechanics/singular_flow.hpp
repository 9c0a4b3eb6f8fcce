#pragma once
/// The motion on the final constraint set of a singular Lagrangian as explicit equations.

#include "herglotz/mechanics/singular.hpp"

namespace herglotz::mechanics {

/// The motion on the final set as that of a regular system without constraints. Multipliers of the model are base
/// coordinates of it, behind the others.
struct SingularFlow {
  System system;
  Equations equations;
};

/// Returns the motion with dy/dt in the place of b and the identity in the place of W, so that every program of an
/// explicit motion describes it. On the set p = dL/dy; the rates of y and of the multipliers are determined by dG/dt =
/// 0 for the pivots of the analysis. Rates that they leave undetermined are chosen with the smallest sum of squares.
/// `equations` are the result of `derive` for `system`.
SingularFlow singular_flow(const System& system, const Equations& equations, const SingularAnalysis& analysis);

/// Returns the constraints of every level at p = dL/dy, in order.
std::vector<Expr> constraints_on_velocities(const System& system, const Equations& equations,
                                            const SingularAnalysis& analysis);

/// Returns the program of all constraints at p = dL/dy.
symbolic::Program level_constraints_program(const System& system, const Equations& equations,
                                            const SingularAnalysis& analysis);
/// Returns the program of the constraints that do not vanish identically on velocities. After them it has their
/// derivatives by the state of the flow, row by row. `constraints` are the result of constraints_on_velocities().
symbolic::Program final_set_program(const SingularFlow& flow, const std::vector<Expr>& constraints);

}  // namespace herglotz::mechanics
