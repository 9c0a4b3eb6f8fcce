#pragma once
/// Euler-Lagrange-Herglotz equations on any algebroid. Theory, Sec. 2; [ASC25, Eq. 7], [GG08, Eqs. 3.3, 4.13].

#include <array>
#include <string_view>

#include "herglotz/mechanics/system.hpp"
#include "herglotz/symbolic/matrix.hpp"
#include "herglotz/symbolic/program.hpp"

namespace herglotz::mechanics {

using symbolic::Matrix;

/// Derived equations of motion of a system. With w the fibre part of the state (y, or p for a Hamiltonian model):
///   dx/dt = rho y,   d p(x,w,z,t)/dt = f + L_z p + Phi_y^T lambda,   dz/dt = L,   Phi = 0,
/// and expanded, one saddle-point system for both rules (Theory, Sec. 2):
///   W dw/dt - Phi_y^T ell = b,   Phi_w dw/dt = -beta,   W = dp/dw.
/// Nonholonomic: ell = lambda [LLMR21, Thm 3; LJL21, Eq. 63; GG08, Eqs. 5.10-5.11]. Vakonomic: ell = d nu/dt, there is
/// no lambda, and p, f, L_z, W belong to L - nu Phi [LLMR21, Sec. 5.4; GG08, Eqs. 5.3-5.4]. For a Hamiltonian model y =
/// dH/dp, L stands for p.y - H and L_z for -dH/dz, and Phi_y is taken at that y.
struct Equations {
  std::vector<Expr> u;      ///< state symbols x (n), w (r), z, then t
  std::vector<Expr> l;      ///< multiplier symbols (m): lambda, or nu; velocity-free constraints come first
  std::vector<Expr> y;      ///< velocities as functions of u (r)
  std::vector<Expr> x_dot;  ///< rho^i_a y^a (n)
  std::vector<Expr> p;      ///< momenta as functions of u (r)
  std::vector<Expr> f;      ///< c^k_ij y^i p_k + sigma^a_j dL/dx^a + F_j (r)
  Expr L;                   ///< dz/dt
  Expr L_z;                 ///< dissipation rate dL/dz
  Matrix W;                 ///< dp/dw (r x r)
  std::vector<Expr> b;      ///< (r)
  Expr energy;              ///< E = p_a y^a - L

  Rule rule = Rule::none;
  std::vector<Expr> phi;              ///< velocity-free constraints (k <= m)
  std::vector<Expr> Phi;              ///< velocity constraints (m): first d phi/dt, then the others in order
  Matrix Phi_y;                       ///< dPhi/dy: directions of the constraint forces (m x r)
  Matrix Phi_w;                       ///< dPhi/dw (m x r)
  std::vector<Expr> beta;             ///< Phi_x x_dot + Phi_z L + Phi_t (m)
  std::vector<std::size_t> equation;  ///< the system's constraint that each row of Phi comes from (m)

  [[nodiscard]] std::size_t m() const { return l.size(); }
};

Equations derive(const System& system);

/// Kind of the quantity of a balance law. The names of the columns for quantity, invariant and residual begin with it.
enum class LawKind { energy, momentum, dissipated };

/// Balance law dQ/dt = L_z Q + source along every trajectory. Theory, Sec. 3; [ASC25, Prop. 4.1, Prop. 4.4].
struct BalanceLaw {
  std::string name;  ///< "energy", or the name of the symmetry or of the dissipated function
  Expr quantity;     ///< Q(u)
  Expr scale;        ///< the largest |term| of Q (for the energy: of p.y and of L), by which residuals are measured
  Expr source;       ///< zero exactly if Q is a dissipated invariant
  LawKind kind = LawKind::momentum;
};

/// Returns the columns of the quantity, the invariant and the residual of a law, such as momentum.s,
/// momentum_invariant.s and momentum_residual.s.
std::array<std::string, 3> law_columns(LawKind kind, std::string_view name);

/// Returns the energy law, then one law per symmetry, then one per dissipated function, with every term of Theory,
/// Sec. 3. The laws are written from the theorem, independently of `derive`'s momentum equation.
std::vector<BalanceLaw> balance_laws(const System& system, const Equations& equations);

/// Returns {E, f} for the bracket of the linear Jacobi structure of the algebroid, at p = dL/dy (under the vakonomic
/// rule, of L - nu Phi):
///   rho^i_a y^a f_x^i + f_p_j (c^k_ij y^i p_k + sigma^i_j L_x^i) + f_z L + L_z (p_j f_p_j - f).
/// The motion without forces, constraints and time has df/dt = L_z f + {E, f}. [LJL21, Eqs. 28, 48].
Expr bracket_with_energy(const System& system, const Equations& equations, const Dissipated& f);

/// Returns s^C L, the complete-lift derivative of L along s; it is zero exactly if s is a symmetry. [ASC25, Eq. 22].
Expr complete_lift_derivative(const System& system, const Equations& equations, const Symmetry& symmetry);

/// A program together with the places of its outputs in a matrix.
struct SparseProgram {
  symbolic::Program program;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<std::size_t> row;
  std::vector<std::size_t> col;
};

/// Largest r + m whose saddle-point system is eliminated inside the flow program; larger systems are solved
/// numerically.
inline constexpr std::size_t straight_line_rank = 8;
/// Returns whether the saddle-point system is eliminated inside the flow program: it must be small, and not singular at
/// every state.
bool eliminates_inside(const System& system, const Equations& equations);

// Variables of every program: v = (x, w, z, t, l); parameters: system.parameters in order.

/// Returns the program of (x_dot, w_dot, z_dot, ell), with the saddle-point system eliminated by straight-line code.
symbolic::Program flow_program(const System& system, const Equations& equations);
/// Returns that program with more outputs: L_z and the source of every law, at that ell if multipliers are algebraic.
symbolic::Program flow_program(const System& system, const Equations& equations, const std::vector<BalanceLaw>& laws);
/// Program of the motion with its integrating factor and budgets as one equation y' = f(y, t) for y = (x, w, z, nu if
/// vakonomic, log lambda, g_k ..). Entries known in closed form are left out: log lambda = -L_z (t - t0) if L_z is a
/// constant, and g_k = Q_k(t0) / lambda if law k has no source. The variables are (y, t); the outputs are y', then the
/// scale of each law whose g_k is in y, then the checks. Theory, Sec. 3. The saddle-point system is eliminated without
/// exchanges, accelerations that constraints give first, so that what is held at rest stays there exactly. A check is
/// the share of a diagonal entry of W left when it becomes the pivot; near zero or infinity, y' is not accurate.
struct MotionProgram {
  symbolic::Program program;
  bool factor = false;            ///< whether log lambda is in y
  std::vector<std::size_t> laws;  ///< the laws whose g_k are in y
  std::size_t checks = 0;
};
/// Returns the places in y of the wanted entries, and of the entries that these and the checks depend on.
std::vector<std::size_t> needed_entries(const MotionProgram& motion, std::vector<bool> wanted);
/// Largest r + m for which there is a motion program whatever the saddle-point system; sparse systems may be larger.
inline constexpr std::size_t motion_rank = 32;
/// Returns the motion program. Throws symbolic::SingularMatrix if a pivot vanishes at every state,
/// Refused if elimination takes more products than for a dense matrix of motion_rank rows.
MotionProgram motion_program(const System& system, const Equations& equations, const std::vector<BalanceLaw>& laws);
/// Returns the program of d(x_dot, w_dot, z_dot, ell)/d(x, w, z, l), by implicit differentiation of the saddle-point
/// system.
SparseProgram flow_jacobian_program(const System& system, const Equations& equations);
/// Returns the program of (x_dot, z_dot, W, b, Phi_y, Phi_w, beta), matrices row by row, for sizes beyond
/// straight_line_rank.
symbolic::Program mass_program(const System& system, const Equations& equations);
/// Returns the program of (x_dot, z_dot, b, -beta), then of those entries of [W, -Phi_y^T; Phi_w, 0] that are not
/// always zero, row by row. The places are those of the entries in that matrix.
SparseProgram saddle_program(const System& system, const Equations& equations);
/// Returns the program in (v, w_dot, ell) of d(x_dot, b + Phi_y^T ell - W w_dot, z_dot, -beta - Phi_w w_dot)/d(x, w, z,
/// l).
SparseProgram mass_jacobian_program(const System& system, const Equations& equations);
/// Returns the program of (x_dot, p, f + Phi_y^T lambda, L, L_z, Phi), the implicit form that every collocation method
/// uses; n + 2r + 2 + m outputs. It contains no inverse of W.
symbolic::Program stage_program(const System& system, const Equations& equations);
/// Returns the program of d(x_dot, p, f + Phi_y^T lambda, L, L_z, Phi)/d(x, w, z, l); (n + 2r + 2 + m) x (n + r + 1 +
/// m).
SparseProgram stage_jacobian_program(const System& system, const Equations& equations);
/// Returns the program in (v, p_hat) of (dw, k, Phi_y^T k) with W dw - Phi_y^T k = p_hat - p and Phi_w dw = -Phi, by
/// straight-line code: Newton's step to the state on the constraints that the impulse k leads to. It needs
/// eliminates_inside().
symbolic::Program projection_program(const System& system, const Equations& equations);
/// Returns the program of phi, the velocity-free constraints.
symbolic::Program position_program(const System& system, const Equations& equations);
/// Returns the program of L_z, then of quantity, scale and source of each law.
symbolic::Program balance_program(const System& system, const Equations& equations,
                                  const std::vector<BalanceLaw>& laws);
/// Returns the program of (W, Phi_y, Phi_w), row by row, for the regularity check.
symbolic::Program hessian_program(const System& system, const Equations& equations);
/// Returns the program of the observables, in order.
symbolic::Program observables_program(const System& system, const Equations& equations);
/// Returns the program of the functions whose zeros are events, in order.
symbolic::Program events_program(const System& system, const Equations& equations);
/// Returns the program of the constraint equations as they are written, then of the derivatives of the velocity-free
/// equations.
symbolic::Program constraints_program(const System& system, const Equations& equations);

}  // namespace herglotz::mechanics
