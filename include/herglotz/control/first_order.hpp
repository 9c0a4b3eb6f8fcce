#pragma once
/// Every problem as one of first order: states with rates, and algebraic variables along the path.

#include <string>
#include <vector>

#include "herglotz/control/problem.hpp"
#include "herglotz/symbolic/program.hpp"

namespace herglotz::control {

/// Minimise sign (zeta(T) + m) with dv/dt = F(v, w, t), C(v, w, t) = 0 and D(v, w, t) <= 0. The last state is zeta.
///
/// A two-point problem has the velocities as w and its vakonomic constraints as C; a kinematic one has the controls; a
/// mechanical one has the controls, the accelerations and the multipliers of nonholonomic constraints, with
/// W a - Phi_y^T lambda - b = 0 and Phi_y a + beta = 0 as C, so that W is not inverted.
struct FirstOrder {
  std::vector<Expr> v;
  std::vector<Expr> rates;
  std::vector<Expr> w;  ///< controls first, in the order of the problem
  std::vector<Expr> equations;
  std::vector<Expr> inequalities;
  std::vector<Expr> nu;             ///< vakonomic multipliers, one for each equation; else none
  std::vector<std::size_t> linear;  ///< controls that the Hamiltonian is linear in

  [[nodiscard]] std::size_t cost() const { return v.size() - 1; }
};

/// Throws std::invalid_argument that begins with the table at fault, where the problem is none of those above.
FirstOrder first_order(const Problem& problem);

/// A sparse matrix as a program; the places are of its outputs.
struct Derivatives {
  symbolic::Program program;
  std::vector<std::size_t> row;
  std::vector<std::size_t> col;
};

/// What one stage adds to a step: (h F, C, D), its Jacobian by (v, w, h, t), and the lower triangle of the Hessian of
/// mu . (h F, C, D). Variables (v, w, h, t), then mu for the Hessian. Compiled once, run at every stage of every step.
struct StagePrograms {
  symbolic::Program values;
  Derivatives jacobian;
  Derivatives hessian;
};
StagePrograms stage_programs(const Problem& problem, const FirstOrder& form);

/// (m, psi): the terminal cost and the conditions, as functions of (v(0), v(T), T), in the same three forms.
StagePrograms end_programs(const Problem& problem, const FirstOrder& form);

}  // namespace herglotz::control
