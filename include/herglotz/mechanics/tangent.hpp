#pragma once
/// Variational equations: derivatives of the motion along a direction of states and parameters, and their adjoints.

#include <cstddef>
#include <vector>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Program of the motion y' = f(y, t, theta), y = (x, w, z), of a system without vakonomic constraints, with its
/// variational equations dy' = f_y dy + f_theta dtheta. The variables are (y, dy, t), the parameters (theta, dtheta);
/// the outputs are (y', dy', checks), with the checks of MotionProgram.
struct TangentMotion {
  symbolic::Program program;
  std::size_t states = 0;  ///< size of y
  std::size_t checks = 0;
};

/// Solution for the accelerations: with exchanges of rows, or in order, as Taylor polynomials need it.
enum class Elimination { exchanging, in_order };

/// Returns the tangent motion. Elimination with exchanges is replaced by elimination in order if there is no
/// straight-line code for it (see eliminates_inside). Throws Refused as motion_program does, and for
/// vakonomic constraints.
TangentMotion tangent_motion(const System& system, const Equations& equations, Elimination elimination);

/// Returns the program of the derivatives of functions of (x, w, z, t): first along (dy, dtheta), one for each
/// function, then by t alone. Its variables and parameters are those of the tangent motion.
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
/// mode. Its variables are (y, c, t), with one c for each function, and its parameters theta.
symbolic::Program adjoint_functions(const System& system, const Equations& equations,
                                    const std::vector<Expr>& functions);

}  // namespace herglotz::mechanics
