#pragma once
/// Motions in the forms whose increments implicit Runge-Kutta methods take, with all derivatives.

#include <cstddef>
#include <vector>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Program of d m(u, t)/dt = g(u, t) with derivatives. The variables are (u, t), where u begins with the state (x, w, z),
/// and the parameters theta. The outputs are m, g, and the derivatives of (m, g) by u and theta at the places (row, col):
/// rows of g follow those of m, and columns of theta those of u.
struct ImplicitMotion {
  symbolic::Program program;
  std::size_t states = 0;              ///< size of (x, w, z)
  std::size_t size = 0;                ///< size of u, of m and of g
  std::vector<double> start{};         ///< values of the entries of u behind the state at the start of a step
  std::vector<bool> of_second_table{};  ///< the entries of m to which the second table of a partitioned method applies
  std::vector<std::size_t> row{};
  std::vector<std::size_t> col{};
};

/// Returns the homogeneous lift (x, R p, z, R)' = (x_dot, R f, L, -R L_z) of an unconstrained system, with u = (x, w, z,
/// R) and R = 1 at the start of each step; the second table applies to R p and R. Theory, Sec. 4.
ImplicitMotion lifted_motion(const System& system, const Equations& equations);

/// Returns the motion (x, w, z)' = f(x, w, z, t) of an unconstrained system itself. Throws as motion_program does.
ImplicitMotion direct_motion(const System& system, const Equations& equations);

}  // namespace herglotz::mechanics
