#pragma once
/// Decisions whether an expression is 0 for all values of its symbols.

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::mechanics {

/// Returns true if f exceeds its round-off at one generic point, so that it is not 0 everywhere. This decides most
/// cases without work; false decides nothing.
bool is_nonzero_somewhere(symbolic::Expr f);
/// Returns true if f is 0 for all values of its symbols, as far as simplification can tell.
bool vanishes(symbolic::Expr f);

}  // namespace herglotz::mechanics
