#pragma once
/// Discrete Lagrangians on Q x Q x R and Q x Q x R^2. Theory, Sec. 5; [ASMLL20, Sec. 3], [VBS19].

#include <string>
#include <vector>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::discrete {

using symbolic::Expr;

/// Discrete Lagrangian ell with z1 - z0 = ell(q0, q1, z0, z1, t0, h). If ell does not contain z1, it is L_d of
/// [ASMLL20]. Otherwise it is h times the discrete Lagrangian of [VBS19], and L_d(q0, q1, z0) follows by solving for
/// z1: sigma_d = (1 + D_z0 ell)/(1 - D_z1 ell).
///
/// Discrete forces do the virtual work minus.dq0 + plus.dq1 in a step, in addition to the variation of ell (discrete
/// Lagrange-d'Alembert principle [MW01, Sec. 3.2], here for the action of Herglotz). Since z1 then varies by (1 + D_z0
/// ell) dz0 + (D1 ell + minus).dq0 + (D2 ell + plus).dq1, divided by 1 - D_z1 ell, forces on Q x Q x R are (f_d^-,
/// f_d^+) = (minus, plus)/(1 - D_z1 ell); they have the same factor as ell.
struct DiscreteLagrangian {
  std::vector<Expr> q0;  ///< <base>0 (n)
  std::vector<Expr> q1;  ///< <base>1 (n); off tangent bundles, see on_groupoid, then eta_<fibre> (r)
  Expr z0;               ///< <action>0
  Expr z1;               ///< <action>1
  Expr t0;               ///< <time>0
  Expr h;                ///< the step
  Expr ell;
  std::vector<Expr> minus;  ///< discrete force at q0 (n), a function of (q0, q1, z0, z1, t0, h)
  std::vector<Expr> plus;   ///< discrete force at q1 (n)
  std::string rule;         ///< its origin, for people: "given", "midpoint, implicit action", ...
};

/// Returns whether a discrete force is not 0.
bool has_forces(const DiscreteLagrangian& lagrangian);

/// Makes the symbols of a discrete Lagrangian in the system's graph, with ell = 0 and without forces. Throws
/// Refused if no groupoid is known for the algebroid.
DiscreteLagrangian discrete_symbols(const mechanics::System& system);

/// Position x at which L is evaluated in a step whose velocity is (q1 - q0)/h.
enum class PositionRule { left, midpoint, trapezoid };
/// Action z at which L is evaluated: z0 [ASMLL20, Sec. 5], or symmetrically (z0 + z1)/2 or both ends [VBS19].
enum class ActionRule { left, implicit };

/// Returns ell = h L(x, (q1 - q0)/h, z, t) by the two rules; the time follows the rule of the position. The forces F of
/// the system act at the point at which L is evaluated: minus.dq0 + plus.dq1 = h F.dx with dx the variation of that
/// point. Throws as discrete_symbols does, and for a Hamiltonian and for constraints.
DiscreteLagrangian discretise(const mechanics::System& system, PositionRule position, ActionRule action);

/// Throws Refused that names the force if only one of the system and the discrete Lagrangian has forces:
/// a discrete motion would then be measured by the balance laws of another system.
void require_matching_forces(const mechanics::System& system, const DiscreteLagrangian& lagrangian);

}  // namespace herglotz::discrete
