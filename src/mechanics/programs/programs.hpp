#pragma once
/// What every program of a system has in common: its variables and parameters.

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// outputs as a program of u (and `more` variables) and the parameters.
symbolic::Program program(const System& system, const Equations& equations, std::string_view name,
                          std::vector<Expr> outputs, const std::vector<Expr>& more = {});
/// The nonzero entries of a matrix as a program.
SparseProgram sparse_program(const System& system, const Equations& equations, std::string_view name,
                             const symbolic::SparseMatrix& matrix, const std::vector<Expr>& more = {});
/// (x, w, z, l): what Jacobians differentiate by; the variables without time.
std::vector<Expr> state_of(const Equations& equations);
/// The r + m symbols that stand for dw/dt and ell; no model can name them.
std::vector<Expr> rate_symbols(const System& system, const Equations& equations);
/// A matrix of one column.
Matrix column(const std::vector<Expr>& v);
/// [W, -Phi_y^T; Phi_w, 0].
Matrix saddle_matrix(const System& system, const Equations& equations);
/// (b, -beta).
std::vector<Expr> saddle_right_side(const Equations& equations);
/// (b, -beta) - [W, -Phi_y^T; Phi_w, 0] (w_dot, ell) with the rates as given.
std::vector<Expr> residual(const System& system, const Equations& equations, const std::vector<Expr>& rates);

}  // namespace herglotz::mechanics
