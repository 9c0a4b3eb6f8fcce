#pragma once
/// Euler-Lagrange-Herglotz equations on any algebroid. Theory, Sec. 2; [ASC25, Eq. 7], [GG08, Eqs. 3.3, 4.13].

#include "herglotz/mechanics/system.hpp"
#include "herglotz/symbolic/matrix.hpp"
#include "herglotz/symbolic/program.hpp"

namespace herglotz::mechanics {

using symbolic::Matrix;

/// The motion of a system, derived. With w the fibre part of the state (y, or p for a Hamiltonian model):
///   dx/dt = rho y,   d p(x,w,z,t)/dt = f + L_z p,   dz/dt = L,   and expanded  W dw/dt = b,   W = dp/dw.
/// For a Hamiltonian model y = dH/dp, L stands for p.y - H and L_z for -dH/dz.
struct Equations {
  std::vector<Expr> u;      ///< state symbols x (n), w (r), z, then t
  std::vector<Expr> y;      ///< velocities as functions of u (r)
  std::vector<Expr> x_dot;  ///< rho^i_a y^a (n)
  std::vector<Expr> p;      ///< momenta as functions of u (r)
  std::vector<Expr> f;      ///< c^k_ij y^i p_k + sigma^a_j dL/dx^a + F_j (r)
  Expr L;                   ///< dz/dt
  Expr L_z;                 ///< dissipation rate dL/dz
  Matrix W;                 ///< dp/dw (r x r)
  std::vector<Expr> b;      ///< (r)
  Expr energy;              ///< E = p_a y^a - L
};

Equations derive(const System& system);

/// dQ/dt = L_z Q + source along every trajectory. Theory, Sec. 3; [ASC25, Prop. 4.1, Prop. 4.4].
struct BalanceLaw {
  std::string name;  ///< "energy", or the name of the symmetry
  Expr quantity;     ///< Q(u)
  Expr scale;        ///< the largest |term| of Q (for the energy: of p.y and of L), by which residuals are measured
  Expr source;       ///< zero exactly when Q is a dissipated invariant
};

/// The energy law first, then one law per symmetry, with every term of theory.md, Sec. 3. They are written from the
/// theorem, independently of `derive`'s momentum equation.
std::vector<BalanceLaw> balance_laws(const System& system, const Equations& equations);

/// s^C L: the complete-lift derivative of L along s; zero exactly when s is a symmetry. [ASC25, Eq. 22].
Expr complete_lift_derivative(const System& system, const Equations& equations, const Symmetry& symmetry);

/// A program together with the places of its outputs in a matrix.
struct SparseProgram {
  symbolic::Program program;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<std::size_t> row;
  std::vector<std::size_t> col;
};

/// Largest rank whose mass matrix is eliminated inside the flow program; larger ones are solved numerically.
inline constexpr std::size_t straight_line_rank = 8;
/// Whether W is eliminated inside the flow program: its rank is small, and it is not singular at every state.
bool eliminates_inside(const Equations& equations);

// Variables of every program: u = (x, w, z, t); parameters: system.parameters in order.

/// (x_dot, w_dot, z_dot) with W eliminated by straight-line code.
symbolic::Program flow_program(const System& system, const Equations& equations);
/// d(x_dot, w_dot, z_dot)/d(x, w, z), by implicit differentiation of W w_dot = b.
SparseProgram flow_jacobian_program(const System& system, const Equations& equations);
/// (x_dot, z_dot, W row by row, b): for ranks beyond straight_line_rank.
symbolic::Program mass_program(const System& system, const Equations& equations);
/// Variables (u, w_dot): d(x_dot, b - W w_dot, z_dot)/d(x, w, z).
SparseProgram mass_jacobian_program(const System& system, const Equations& equations);
/// (x_dot, p, f, L, L_z): the implicit form every collocation method uses; n + 2r + 2 outputs. No inverse of W in it.
symbolic::Program stage_program(const System& system, const Equations& equations);
/// d(x_dot, p, f, L, L_z)/d(x, w, z); (n + 2r + 2) x (n + r + 1).
SparseProgram stage_jacobian_program(const System& system, const Equations& equations);
/// (L_z, then quantity, scale, source of each law).
symbolic::Program balance_program(const System& system, const Equations& equations,
                                  const std::vector<BalanceLaw>& laws);
/// W row by row: for the regularity check.
symbolic::Program hessian_program(const System& system, const Equations& equations);
/// The observables, in order.
symbolic::Program observables_program(const System& system, const Equations& equations);

}  // namespace herglotz::mechanics
