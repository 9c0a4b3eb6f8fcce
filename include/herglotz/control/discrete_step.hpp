#pragma once
/// A step of discrete mechanics as an equation between two nodes: DMOC with discrete Herglotz equations.

#include <vector>

#include "herglotz/control/first_order.hpp"

namespace herglotz::control {

/// Discrete step residual(v_k, v_{k+1}, w_k) = 0 with h and the time t_k. For a two-point problem v = (q, z), w is
/// empty and the residual is z1 - z0 - ell, so that minimising z_N gives the discrete Herglotz equations [ASMLL20, Eq.
/// 39]. For a mechanical problem v = (q, p, z, zeta), w are the controls, constant on a step, and the residual is
///   (1 + D_z0 ell) p0 + D_1 ell + f^-,  (1 - D_z1 ell) p1 - D_2 ell - f^+,  z1 - z0 - ell,  zeta1 - zeta0 - C_d,
/// with forces and running cost at the points of the rule [OJM11].
struct DiscreteStep {
  std::vector<Expr> v;  ///< base, for mechanical problems p_<fibre> and the action, then the action of the cost
  std::vector<Expr> w;
  std::vector<Expr> momenta;   ///< dL/dy of a Lagrangian
  std::size_t rows = 0;        ///< the rows of the residual
  StagePrograms step;          ///< the residual by (v_k, v_{k+1}, w, h, t)
  StagePrograms ends;          ///< (m, psi), as for a first-order problem; given velocities are conditions on momenta
  std::size_t conditions = 0;  ///< the number of conditions psi
};

/// Returns the discrete step of a problem. Throws Refused, with the table that is wrong, if
/// the problem has no such step.
DiscreteStep discrete_step(const Problem& problem);

}  // namespace herglotz::control
