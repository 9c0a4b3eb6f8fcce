#pragma once
/// A test for the symbols that an expression contains.

#include <vector>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// Returns whether at least one of the symbols occurs in f.
bool depends_on_any(Expr f, const std::vector<Expr>& symbols);

}  // namespace herglotz::symbolic
