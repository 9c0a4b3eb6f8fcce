#pragma once
/// Every problem as a first-order problem: states with rates, and algebraic variables along the path.

#include <string>
#include <vector>

#include "herglotz/control/problem.hpp"
#include "herglotz/symbolic/program.hpp"

namespace herglotz::control {

/// First-order problem: minimise sign (zeta(T) + m) with dv/dt = F(v, w, t), C(v, w, t) = 0 and D(v, w, t) <= 0. The
/// last state is zeta.
///
/// A two-point problem has the velocities as w and its vakonomic constraints as C; a kinematic problem has the controls
/// as w; a mechanical problem has as w the controls, the accelerations and the multipliers of nonholonomic constraints,
/// with W a - Phi_y^T lambda - b = 0 and Phi_y a + beta = 0 as C, so that W is not inverted.
struct FirstOrder {
  std::vector<Expr> v;
  std::vector<Expr> rates;
  std::vector<Expr> w;  ///< controls first, in the order of the problem
  std::vector<Expr> equations;
  std::vector<Expr> inequalities;
  std::vector<Expr> nu;              ///< vakonomic multipliers, one for each equation; empty for other problems
  std::vector<std::size_t> linear;   ///< controls that the Hamiltonian is linear in, whatever the other controls are
  std::vector<std::size_t> coupled;  ///< those of them in whose terms are other controls, as in both of u w

  [[nodiscard]] std::size_t cost() const { return v.size() - 1; }
};

/// Returns the first-order form of a problem. Throws Refused, with the table that is wrong, if
/// the problem is of no kind above.
FirstOrder first_order(const Problem& problem);

/// A sparse matrix as a program; `row` and `col` are the places of its outputs.
struct Derivatives {
  symbolic::Program program;
  std::vector<std::size_t> row;
  std::vector<std::size_t> col;
};

/// Programs of the terms that one stage adds to a step: (h F, C, D), its Jacobian by (v, w, h, t), and the lower
/// triangle of the Hessian of mu . (h F, C, D). The variables are (v, w, h, t), then mu for the Hessian. The programs
/// are compiled once and run at every stage of every step.
struct StagePrograms {
  symbolic::Program values;
  Derivatives jacobian;
  Derivatives hessian;
};
StagePrograms stage_programs(const Problem& problem, const FirstOrder& form);

/// Returns the programs of (m, psi), the terminal cost and the conditions, as functions of (v(0), v(T), T): values,
/// Jacobian and Hessian.
StagePrograms end_programs(const Problem& problem, const FirstOrder& form);

}  // namespace herglotz::control
