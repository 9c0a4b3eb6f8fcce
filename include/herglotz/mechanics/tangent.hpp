#pragma once
/// Variational equations: derivatives of the motion along a direction of states and parameters, and their adjoints; the
/// motion with its derivatives for implicit methods.

#include <cstddef>
#include <vector>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Program of the motion y' = f(y, t, theta), y = (x, w, z), of a system without vakonomic constraints, with its
/// variational equations dy' = f_y dy + f_theta dtheta + f_t dt. The variables are (y, dy, t), the parameters (theta,
/// dtheta, dt), where dt is the derivative of the time itself; the outputs are (y', dy', checks), with the checks of
/// MotionProgram.
struct TangentMotion {
  symbolic::Program program;
  std::size_t states = 0;  ///< size of y
  std::size_t checks = 0;
};

/// Solution for the accelerations: with exchanges of rows, or in order, as Taylor polynomials need it.
enum class EliminationOrder { exchanging, in_order };

/// Returns the tangent motion. Elimination with exchanges is replaced by elimination in order if there is no
/// straight-line code for it (see eliminates_inside). Throws Refused as motion_program does, and for
/// vakonomic constraints.
TangentMotion tangent_motion(const System& system, const Equations& equations, EliminationOrder elimination);

/// Returns the program of the derivatives of functions of (x, w, z, t) along (dy, dtheta, dt), then of the functions
/// themselves. Multipliers of nonholonomic constraints in the functions are those of the motion. Its variables and
/// parameters are those of the tangent motion. Throws Refused if there are such multipliers and no straight-line code
/// for them.
symbolic::Program tangent_functions(const System& system, const Equations& equations,
                                    const std::vector<Expr>& functions);

/// Programs of the motion y' = f(y, t, theta) and of its adjoint, which the reverse mode gives.
struct AdjointMotion {
  symbolic::Program motion;   ///< the variables (y, t), the parameters theta, and the outputs (y', checks)
  symbolic::Program program;  ///< the variables (y, c, t), the parameters theta, the outputs (c.f_y, c.f_theta, c.f_t)
  std::size_t states = 0;     ///< size of y
  std::size_t checks = 0;
};

/// Returns the adjoint of the tangent motion with Elimination::exchanging. Throws as tangent_motion does.
AdjointMotion adjoint_motion(const System& system, const Equations& equations);

/// Returns the program of the derivatives (c.F_y, c.F_theta, c.F_t) of functions F of (x, w, z, t), by the reverse
/// mode. Its variables are (y, c, t), with one c for each function, and its parameters theta. Multipliers in the
/// functions are treated as by tangent_functions.
symbolic::Program adjoint_functions(const System& system, const Equations& equations,
                                    const std::vector<Expr>& functions);

/// Program of the projection of a state onto nonholonomic constraints, which is minimal in the metric W. Positions go
/// first, if there are constraints phi(x, t) = 0 on them, along a displacement d in the directions of the forces:
///   x' = x + d x_dot/dw d,   W d = Phi_y^T c,   phi(x', t) = 0,   Phi_w d = 0 for the other constraints,
/// with matrices at (x, w, z, t); then velocities,
///   p(x', w', z, t) = p(x', w, z, t) + Phi_y^T k,   Phi(x', w', z, t) = 0.
/// The variables are the unknowns (x', w', k, d, c), or (w', k) without constraints on positions, then (x, w, z, t);
/// the parameters theta; and the outputs the residuals of these equations, then their derivatives by the unknowns and
/// (x, w, z, theta, t) that do not vanish, at their places (row, col).
struct ConstraintProjection {
  symbolic::Program program;
  std::size_t states = 0;    ///< size of (x, w, z)
  std::size_t first = 0;     ///< place in it of the entries that are replaced
  std::size_t replaced = 0;  ///< their number: that of (x', w') or of w'
  std::size_t others = 0;    ///< number of the other unknowns
  std::vector<std::size_t> row{};
  std::vector<std::size_t> col{};
};

/// Returns the projection. Throws Refused unless all constraints are nonholonomic, and for constraints on positions
/// that depend on the action.
ConstraintProjection constraint_projection(const System& system, const Equations& equations);

/// Program of d m(u, t)/dt = g(u, t) with derivatives. The variables are (u, t), where u begins with the state (x, w,
/// z), and the parameters theta. The outputs are m, g, and the derivatives of (m, g) by (u, theta) that do not vanish,
/// at their places (row, col) in one matrix. Its rows are those of m, then those of g; its columns are those of u, then
/// those of theta.
struct ImplicitMotion {
  symbolic::Program program;
  std::size_t states = 0;               ///< size of (x, w, z)
  std::size_t size = 0;                 ///< size of u, of m and of g
  std::vector<double> start{};          ///< values of the entries of u behind the state at the start of a step
  std::vector<bool> of_second_table{};  ///< the entries of m to which the second table of a partitioned method applies
  std::vector<std::size_t> row{};
  std::vector<std::size_t> col{};
};

/// Returns the homogeneous lift (x, R p, z, R)' = (x_dot, R f, L, -R L_z) of an unconstrained system, with u = (x, w,
/// z, R) and R = 1 at the start of each step; the second table applies to R p and R. Theory, Sec. 4.
ImplicitMotion lifted_motion(const System& system, const Equations& equations);

/// Returns the motion (x, w, z)' = f(x, w, z, t) of an unconstrained system itself. Throws as motion_program does.
ImplicitMotion direct_motion(const System& system, const Equations& equations);

}  // namespace herglotz::mechanics
