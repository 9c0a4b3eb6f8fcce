#pragma once
/// Paths on an algebroid, their admissible variations, and the Euler-Lagrange-Herglotz operator. [ASC25, Def. 2.1;
/// GG08, Secs. 2-4].

#include <optional>
#include <vector>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::mechanics {

/// A path (x(t), y(t)) in E as expressions in time and parameters. It is admissible if dx/dt = rho y. [ASC25, Def.
/// 2.1; GG08, Eq. 2.6].
struct AlgebroidPath {
  std::vector<Expr> x;  ///< (n)
  std::vector<Expr> y;  ///< (r)
};

/// Returns the path with the fibre coordinates that are not given: they solve dx/dt = rho y. `x` has n expressions in
/// time and parameters, `y` has r expressions or nothing. Throws Refused that names the fibre coordinates
/// which the anchor does not determine.
AlgebroidPath complete_path(const System& system, const std::vector<Expr>& x,
                            const std::vector<std::optional<Expr>>& y);

/// Returns x_dot - rho y (n), which vanishes along an admissible path.
std::vector<Expr> admissibility_defects(const System& system, const std::vector<Expr>& x_dot);

/// Variation of a path: a tangent vector of E along it.
struct Variation {
  std::vector<Expr> x;  ///< (n)
  std::vector<Expr> y;  ///< (r)
};

/// Returns the admissible variation of a section s along a path with the rates s_dot = ds/dt:
///   delta x^i = sigma^i_a s^a,   delta y^k = ds^k/dt + c^k_ij y^i s^j,
/// which is the relation kappa of the algebroid applied to s. [ASC25, Def. 2.1; GG08, Eqs. 2.5, 2.9-2.10].
Variation variation(const System& system, const std::vector<Expr>& s, const std::vector<Expr>& s_dot);

/// Returns f_x delta x + f_y delta y, without the term in z.
Expr varied(const System& system, const Expr& f, const Variation& variation);

/// The undivided operator as functions of (x, y, dy/dt, z, t) along admissible paths.
struct EulerLagrange {
  std::vector<Expr> y_dot;  ///< symbols <fibre>_dot of dy/dt (r)
  /// dp_j/dt - c^k_ij y^i p_k - sigma^a_j L_x^a - L_z p_j - F_j with p = dL/dy (r): the force that the path needs in
  /// addition to F. It is -delta L - F for the delta L of [GG08, Eq. 4.13] where L does not depend on the action, and
  /// vanishes along the motions without constraints. No Hessian is inverted. [ASC25, Eq. 7; LLMR21, Def. 1].
  std::vector<Expr> rows;
};

/// Derives the operator of the Lagrangian; constraints do not enter. Throws Refused for a Hamiltonian,
/// and for a system with a name <fibre>_dot.
EulerLagrange euler_lagrange(const System& system);

}  // namespace herglotz::mechanics
