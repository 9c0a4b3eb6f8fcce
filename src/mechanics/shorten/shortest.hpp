#pragma once
/// The shortest of the equal forms of an expression.

#include <vector>

#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::mechanics {

/// f simplified as it stands or in normal form modulo sin^2 + cos^2 = 1, what denominators are, and
/// `relations`, which are to vanish: whichever prints shortest. `first` are the symbols that relations should remove.
symbolic::Expr shortest(symbolic::Expr f, const std::vector<symbolic::Expr>& relations = {},
                        const std::vector<symbolic::Expr>& first = {});
std::vector<symbolic::Expr> shortest(std::vector<symbolic::Expr> f);
symbolic::Matrix shortest(symbolic::Matrix m);

}  // namespace herglotz::mechanics
