#pragma once
/// Derivatives that keep shared subexpressions shared.

#include <span>
#include <vector>

#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::symbolic {

/// Returns df/dx for a symbol x by the forward mode. d abs = sign, d sign = 0, and the branches of select are
/// differentiated.
Expr derivative(Expr f, Expr x);
/// Returns the directional derivative sum_i df/dx_i v_i in one forward sweep.
std::vector<Expr> directional_derivative(std::span<const Expr> f, std::span<const Expr> x, std::span<const Expr> v);
/// Returns (df/dx_1, ..., df/dx_n) in one reverse sweep.
std::vector<Expr> gradient(Expr f, std::span<const Expr> x);
/// Returns the structural nonzeros of df_i/dx_j.
SparseMatrix jacobian(std::span<const Expr> f, std::span<const Expr> x);
/// Returns d2f/dx_i dx_j (symmetric, all nonzeros listed) by the reverse mode over the reverse mode.
SparseMatrix hessian(Expr f, std::span<const Expr> x);
Matrix to_dense(Graph& graph, const SparseMatrix& m);

}  // namespace herglotz::symbolic
