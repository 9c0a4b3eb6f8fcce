#pragma once
/// Variational equations: derivatives of the motion along a direction of states and parameters.

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
/// function, then along the motion, d/dt. Its variables and parameters are those of the tangent motion.
symbolic::Program tangent_functions(const System& system, const Equations& equations,
                                    const std::vector<Expr>& functions);

}  // namespace herglotz::mechanics
