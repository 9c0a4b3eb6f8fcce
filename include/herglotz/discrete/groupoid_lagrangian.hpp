#pragma once
/// The discrete Herglotz equations of a discrete Lagrangian on an action groupoid. [ASMLL20, Sec. 3] with M x G in the
/// place of Q x Q; [MMM06] without dissipation.

#include "herglotz/discrete/action_groupoid.hpp"
#include "herglotz/discrete/discrete_lagrangian.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::discrete {

/// Returns whether a discrete Lagrangian is one on a groupoid other than Q x Q. It is then a function of arrows
/// (x0, e^eta) from x0 to x1 = x0 . e^eta, with eta in the frame in which the structure functions are constant:
/// DiscreteLagrangian::q1 has x1 (n), then eta_<fibre> (r), and discrete forces are components (r) along that frame.
bool on_groupoid(const DiscreteLagrangian& lagrangian);
/// Returns x1 (n).
std::vector<Expr> target_of(const DiscreteLagrangian& lagrangian);
/// Returns eta (r), which is empty on Q x Q.
std::vector<Expr> arrow_of(const DiscreteLagrangian& lagrangian);

/// Derivatives of ell(x0, x1, eta, z0, z1, t0, h) along one arrow (x0, e^eta) to x1 = x0 . e^eta. With the inverse
/// differential of exp, D = ad/(e^ad - 1) at eta, and the generators rho of the action, the derivatives of ell along
/// e^(-s e_a) e^eta from x0 . e^(s e_a), and along e^eta e^(s e_a) from x0, are
///   D1 = rho(x0)^T ell_x0 - D^T ell_eta,   D2 = rho(x1)^T ell_x1 + (D + ad)^T ell_eta,
/// as d log(e^(-s e) e^eta)/ds = -D e and d log(e^eta e^(s e))/ds = (D + ad) e. On Q x Q they are those by q0 and q1. A
/// motion has
///   mu0 = -(D1 + f-)/(1 + D_z0),   mu1 = (D2 + f+)/(1 - D_z1),   z1 = z0 + ell,
/// and mu1 of a step is mu0 of the next. Its momenta are those along the frame in which the structure is constant.
struct GroupoidHerglotz {
  std::vector<Expr> by_eta;  ///< ell_eta (r)
  std::vector<Expr> pull0;   ///< rho(x0)^T ell_x0 + f- (r)
  std::vector<Expr> pull1;   ///< rho(x1)^T ell_x1 + f+ (r)
  Expr D_z0;                 ///< d ell/dz0
  Expr D_z1;                 ///< d ell/dz1
  Expr sigma;                ///< sigma_d = (1 + D_z0)/(1 - D_z1)
};

/// Derives them. Throws Refused for a discrete Lagrangian of two positions.
GroupoidHerglotz groupoid_herglotz(const mechanics::System& system, const DiscreteLagrangian& lagrangian);

/// Returns the program of (ell, ell_eta (r), pull0 (r), pull1 (r), D_z0, D_z1) in the variables (x0, x1, eta, z0, z1,
/// t0, h).
symbolic::Program groupoid_map_program(const mechanics::System& system, const DiscreteLagrangian& lagrangian);
/// Returns the derivatives of these outputs by (x1, eta, z1); (3 + 3r) x (n + r + 1).
mechanics::SparseProgram groupoid_map_jacobian_program(const mechanics::System& system,
                                                       const DiscreteLagrangian& lagrangian);

/// Presents the discrete Lagrangian, its derivatives, ad of eta, and the equations of a step with D as a name.
mechanics::Presentation groupoid_equations(const mechanics::System& system, const DiscreteLagrangian& lagrangian);

}  // namespace herglotz::discrete
