#pragma once
/// The discrete Herglotz equations of a discrete Lagrangian, and the objects of discrete contact mechanics. [ASMLL20,
/// Sec. 3].

#include "herglotz/discrete/discrete_lagrangian.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::discrete {

/// Derivatives of ell along one step, with the momenta and the factor that follow from them, as functions of (q0, q1,
/// z0, z1, t0, h). Along a discrete motion F+(k-1) = F-(k): p1 of one step is p0 of the next, which is the discrete
/// Herglotz equation [ASMLL20, Eqs. 39-41]
///   D1 L_d(q_k, q_k+1, z_k) + sigma_d(k) D2 L_d(q_k-1, q_k, z_k-1) = 0.
/// With z1 in ell, L_d(q0, q1, z0) is defined by z1 = z0 + ell, and by the chain rule D1 L_d = D1 ell/(1 - D_z1 ell)
/// and so on [VBS19]. With discrete forces, D1 and D2 of these equations are D1 + f- and D2 + f+:
///   D1 L_d(k) + f_d^-(k) + sigma_d(k) (D2 L_d(k-1) + f_d^+(k-1)) = 0.
struct DiscreteHerglotz {
  std::vector<Expr> D1;     ///< d ell/dq0 (n)
  std::vector<Expr> D2;     ///< d ell/dq1 (n)
  std::vector<Expr> pull0;  ///< D1 + minus: D1 with the discrete force (n)
  std::vector<Expr> pull1;  ///< D2 + plus (n)
  Expr D_z0;                ///< d ell/dz0
  Expr D_z1;                ///< d ell/dz1
  Expr sigma;  ///< sigma_d = (1 + D_z0)/(1 - D_z1): the conformal factor of the flow without forces [ASMLL20, Thm 3.9]
  std::vector<Expr> p0;  ///< -pull0/(1 + D_z0) (n): F-(q0, q1, z0) = (q0, p0, z0) [ASMLL20, Eq. 40]
  std::vector<Expr> p1;  ///< pull1/(1 - D_z1) (n): F+(q0, q1, z0) = (q1, p1, z1)
};

DiscreteHerglotz discrete_herglotz(const DiscreteLagrangian& lagrangian);

/// A 1-form on Q x Q x R in (q0, q1, z0), for an ell without z1.
struct DiscreteForm {
  std::vector<Expr> q0;  ///< (n)
  std::vector<Expr> q1;  ///< (n)
  Expr z0;
};

/// Returns eta- = dz0 + D1 L_d/sigma_d dq0, the pull-back of eta by F-. [ASMLL20, Eq. 46]. Throws Refused
/// for an ell with z1.
DiscreteForm eta_minus(const DiscreteLagrangian& lagrangian);
/// Returns eta+ = dz0 + dL_d - D2 L_d dq1, the pull-back of eta by F+. [ASMLL20, Eqs. 46-47]. Throws as eta_minus does.
DiscreteForm eta_plus(const DiscreteLagrangian& lagrangian);

/// Returns the momentum J = p0 . s(q0) of a section. The flow dissipates it, J(k+1) = sigma_d J(k), if the discrete
/// Lagrangian is invariant [ASMLL20, Eq. 52, Thm 3.11] and no force acts. Its sign is the sign of the continuous J_s =
/// p.s.
Expr discrete_momentum(const mechanics::System& system, const DiscreteLagrangian& lagrangian,
                       const mechanics::Symmetry& symmetry);
/// Returns D1 ell . s(q0) + D2 ell . s(q1), which is zero if ell is invariant under s. [ASMLL20, Eq. 51].
Expr invariance_defect(const mechanics::System& system, const DiscreteLagrangian& lagrangian,
                       const mechanics::Symmetry& symmetry);

/// Returns the program of (ell, pull0 (n), pull1 (n), D_z0, D_z1) in the variables (q0, q1, z0, z1, t0, h).
symbolic::Program discrete_map_program(const mechanics::System& system, const DiscreteLagrangian& lagrangian);
/// Returns the derivatives of the outputs of discrete_map_program by (q1, z1); (3 + 2n) x (n + 1).
mechanics::SparseProgram discrete_map_jacobian_program(const mechanics::System& system,
                                                       const DiscreteLagrangian& lagrangian);

/// Presents the discrete Lagrangian, its flow, Legendre transforms, conformal factor, equations in (q_k-1, q_k, q_k+1)
/// and momentum maps, for mechanics::render in every format but C.
mechanics::Presentation discrete_equations(const mechanics::System& system, const DiscreteLagrangian& lagrangian);

}  // namespace herglotz::discrete
