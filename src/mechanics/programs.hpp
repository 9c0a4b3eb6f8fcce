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
/// (x, w, z): what Jacobians differentiate by; u without time.
std::vector<Expr> state_of(const Equations& equations);
/// The r symbols that stand for dw/dt; no model can name them.
std::vector<Expr> rate_symbols(const System& system);
/// b - W w_dot with w_dot as given.
std::vector<Expr> residual(const Equations& equations, const std::vector<Expr>& w_dot);

}  // namespace herglotz::mechanics
