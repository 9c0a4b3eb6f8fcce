#pragma once
/// The size of the terms of an expression, whatever is left of them when they cancel.

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// Returns an expression |f| of the same inputs such that evaluating f in floating point errs by a modest multiple of
/// the unit round-off times |f|: sums add the magnitudes of their terms, products multiply them, and functions pass on
/// the magnitude of their argument by their derivative.
Expr magnitude(Expr f);

}  // namespace herglotz::symbolic
