#pragma once
/// The size of the terms of an expression, whatever is left of them when they cancel.

#include <span>
#include <vector>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// Returns an expression |f| of the same inputs such that evaluating f in floating point errs by a modest multiple of
/// the unit round-off times |f|, to first order: sums add the magnitudes of their terms, a product adds those of its
/// factors, each times the values of the other factors, and functions pass on the magnitude of their argument by their
/// derivative. A product of magnitudes would count a rounding for as many times its size as a second factor cancels.
Expr magnitude(Expr f);
/// Returns the magnitudes of several expressions of one graph, each of their parts once.
std::vector<Expr> magnitudes(std::span<const Expr> f);

}  // namespace herglotz::symbolic
