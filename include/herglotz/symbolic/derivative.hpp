#pragma once
/// Derivatives that keep shared subexpressions shared.

#include <span>
#include <vector>

#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::symbolic {

/// df/dx for a symbol x, forward mode. d abs = sign, d sign = 0, select differentiates in its branches.
Expr derivative(Expr f, Expr x);
/// Directional derivative sum_i df/dx_i v_i in one forward sweep.
std::vector<Expr> directional_derivative(std::span<const Expr> f, std::span<const Expr> x, std::span<const Expr> v);
/// (df/dx_1, ..., df/dx_n) in one reverse sweep.
std::vector<Expr> gradient(Expr f, std::span<const Expr> x);
/// df_i/dx_j, structural nonzeros.
SparseMatrix jacobian(std::span<const Expr> f, std::span<const Expr> x);
/// d2f/dx_i dx_j (symmetric, all nonzeros listed), reverse over reverse.
SparseMatrix hessian(Expr f, std::span<const Expr> x);
Matrix to_dense(Graph& graph, const SparseMatrix& m);

}  // namespace herglotz::symbolic
