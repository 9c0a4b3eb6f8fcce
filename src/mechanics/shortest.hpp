#pragma once
/// The shortest of the simplified forms of an expression.

#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::mechanics {

/// simplify(f) or simplify(expand(f)): products of inverses often shrink once they are multiplied out. A very long f is
/// returned as it is.
symbolic::Expr shortest(symbolic::Expr f);
std::vector<symbolic::Expr> shortest(std::vector<symbolic::Expr> f);
symbolic::Matrix shortest(symbolic::Matrix m);

}  // namespace herglotz::mechanics
