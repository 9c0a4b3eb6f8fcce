#pragma once
/// Discrete Lagrangians on Q x Q x R and Q x Q x R^2. Theory, Sec. 5; [ASMLL20, Sec. 3], [VBS19].

#include <string>
#include <vector>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::discrete {

using symbolic::Expr;

/// z1 - z0 = ell(q0, q1, z0, z1, t0, h). Without z1 in ell this is L_d of [ASMLL20]; with it, h times the discrete
/// Lagrangian of [VBS19], and L_d(q0, q1, z0) is what solving for z1 gives: sigma_d = (1 + D_z0 ell)/(1 - D_z1 ell).
///
/// Discrete forces do the virtual work minus.dq0 + plus.dq1 in a step, beside the variation of ell (discrete
/// Lagrange-d'Alembert principle [MW01, Sec. 3.2], here for the action of Herglotz). Since z1 then varies by
/// (1 + D_z0 ell) dz0 + (D1 ell + minus).dq0 + (D2 ell + plus).dq1, divided by 1 - D_z1 ell, forces on Q x Q x R are
/// (f_d^-, f_d^+) = (minus, plus)/(1 - D_z1 ell): the factor of ell is theirs too.
struct DiscreteLagrangian {
  std::vector<Expr> q0;  ///< <base>0 (n)
  std::vector<Expr> q1;  ///< <base>1 (n)
  Expr z0;               ///< <action>0
  Expr z1;               ///< <action>1
  Expr t0;               ///< <time>0
  Expr h;                ///< the step
  Expr ell;
  std::vector<Expr> minus;  ///< at q0 (n), functions of (q0, q1, z0, z1, t0, h) as ell is
  std::vector<Expr> plus;   ///< at q1 (n)
  std::string rule;         ///< how it came about, for people: "given", "midpoint, implicit action", ...
};

/// Returns whether a discrete force is not 0.
bool has_forces(const DiscreteLagrangian& lagrangian);

/// Its symbols, made in the system's graph, with ell = 0 and without forces. Throws std::invalid_argument where a name
/// is taken, or unless fibre coordinates are the velocities of the base.
DiscreteLagrangian discrete_symbols(const mechanics::System& system);

/// Where L is evaluated in x along a step whose velocity is (q1 - q0)/h.
enum class PositionRule { left, midpoint, trapezoid };
/// Where L is evaluated in z: at z0 [ASMLL20, Sec. 5], or symmetrically: at (z0 + z1)/2, or at both ends [VBS19].
enum class ActionRule { left, implicit };

/// ell = h L(x, (q1 - q0)/h, z, t) by the rules; time goes with the position. The forces F of the system act where L is
/// evaluated: minus.dq0 + plus.dq1 = h F.dx with dx the variation of that point. Throws as discrete_symbols, for a
/// Hamiltonian and for constraints.
DiscreteLagrangian discretise(const mechanics::System& system, PositionRule position, ActionRule action);

/// Throws std::invalid_argument that names the force where the system has forces and the discrete Lagrangian has none,
/// or the other way about: then a discrete motion and the balance laws it is measured by are those of different
/// systems.
void require_matching_forces(const mechanics::System& system, const DiscreteLagrangian& lagrangian);

}  // namespace herglotz::discrete
