#pragma once
/// Discrete Lagrangians on Q x Q x R and Q x Q x R^2. Theory, Sec. 5; [ASMLL20, Sec. 3], [VBS19].

#include <string>
#include <vector>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::discrete {

using symbolic::Expr;

/// z1 - z0 = ell(q0, q1, z0, z1, t0, h). Without z1 in ell this is L_d of [ASMLL20]; with it, h times the discrete
/// Lagrangian of [VBS19], and L_d(q0, q1, z0) is what solving for z1 gives: sigma_d = (1 + D_z0 ell)/(1 - D_z1 ell).
struct DiscreteLagrangian {
  std::vector<Expr> q0;  ///< <base>0 (n)
  std::vector<Expr> q1;  ///< <base>1 (n)
  Expr z0;               ///< <action>0
  Expr z1;               ///< <action>1
  Expr t0;               ///< <time>0
  Expr h;                ///< the step
  Expr ell;
  std::string rule;  ///< how it came about, for people: "given", "midpoint, implicit action", ...
};

/// Its symbols, made in the system's graph, with ell = 0. Throws std::invalid_argument where a name is taken, or unless
/// fibre coordinates are the velocities of the base.
DiscreteLagrangian discrete_symbols(const mechanics::System& system);

/// Where L is evaluated in x along a step whose velocity is (q1 - q0)/h.
enum class PositionRule { left, midpoint, trapezoid };
/// Where L is evaluated in z: at z0 [ASMLL20, Sec. 5], or symmetrically: at (z0 + z1)/2, or at both ends [VBS19].
enum class ActionRule { left, implicit };

/// ell = h L(x, (q1 - q0)/h, z, t) by the rules; time goes with the position. Throws as discrete_symbols, for a
/// Hamiltonian and for constraints, and for forces: they have no discrete Lagrangian.
DiscreteLagrangian discretise(const mechanics::System& system, PositionRule position, ActionRule action);

}  // namespace herglotz::discrete
