#pragma once
/// The Lagrangian of a system with its rule applied: its partial derivatives at fixed velocities, and its constraints.

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// All values are functions of v = (x, w, z, t, l). For a Hamiltonian y = dH/dp, L = p.y - H, and the partial
/// derivatives of L at fixed velocities equal the partial derivatives of -H. Under the vakonomic rule p and the partial
/// derivatives belong to L - nu Phi.
struct Generator {
  std::vector<Expr> y;      ///< velocities (r)
  std::vector<Expr> x_dot;  ///< rho y (n)
  Expr L;                   ///< without constraint terms
  std::vector<Expr> p;      ///< (r)
  Matrix W;                 ///< dp/dw (r x r)
  std::vector<Expr> L_x;    ///< (n)
  Expr L_z;
  Expr L_t;
  std::vector<Expr> F;  ///< external forces (r)

  std::vector<Expr> l;                ///< multiplier symbols (m), velocity-free constraints first
  std::vector<Expr> phi;              ///< velocity-free constraints
  std::vector<Expr> Phi;              ///< velocity constraints (m)
  Matrix Phi_y;                       ///< (m x r), with the forces that are proportional to multipliers
  Matrix Phi_w;                       ///< (m x r)
  std::vector<std::size_t> equation;  ///< for each row of Phi, the index of its equation in the system
};

/// The form in which Phi_y = Phi_p (d2H/dp2)^-1 of a Hamiltonian is written.
enum class Written {
  for_runs,    ///< by elimination that chooses its pivots at run time
  for_readers  ///< as a formula: by cofactors, or by elimination in the order of the rows if the matrix is too large
               ///< for them
};

/// Says whether the Hessian W is derived too. It takes most of the time for a large system.
enum class WithHessian { yes, no };

/// Returns the generator of a system; without its Hessian W is empty. Throws Refused for the constraints of a
/// Hamiltonian whose d2H/dp2 is singular everywhere, since their forces have no direction then, and for forces that are
/// not linear in multipliers.
Generator generator_of(const System& system, Written written = Written::for_runs,
                       WithHessian hessian = WithHessian::yes);

/// Returns p_a y^a.
Expr paired(const System& system, const std::vector<Expr>& p, const std::vector<Expr>& y);

}  // namespace herglotz::mechanics
