#pragma once
/// Variables and parameters that every program of a system has.

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Returns the outputs as a program of u (and `more` variables) and the parameters.
symbolic::Program program(const System& system, const Equations& equations, std::string_view name,
                          std::vector<Expr> outputs, const std::vector<Expr>& more = {});
/// Returns the nonzero entries of a matrix as a program.
SparseProgram sparse_program(const System& system, const Equations& equations, std::string_view name,
                             const symbolic::SparseMatrix& matrix, const std::vector<Expr>& more = {});
/// Returns (x, w, z, l), the variables without time, by which Jacobians are formed.
std::vector<Expr> state_of(const Equations& equations);
/// Returns the r + m symbols for dw/dt and ell; no model can use their names.
std::vector<Expr> rate_symbols(const System& system, const Equations& equations);
/// Returns a matrix of one column.
Matrix column(const std::vector<Expr>& v);
/// Returns [W, -Phi_y^T; Phi_w, 0].
Matrix saddle_matrix(const System& system, const Equations& equations);
/// Returns (b, -beta).
std::vector<Expr> saddle_right_side(const Equations& equations);
/// Returns (b, -beta) - [W, -Phi_y^T; Phi_w, 0] (w_dot, ell) with the given rates.
std::vector<Expr> residual(const System& system, const Equations& equations, const std::vector<Expr>& rates);

}  // namespace herglotz::mechanics
