#pragma once
/// Whether an expression contains one of several symbols.

#include <vector>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// Returns whether at least one of the symbols occurs in f.
bool depends_on_any(Expr f, const std::vector<Expr>& symbols);

}  // namespace herglotz::symbolic
