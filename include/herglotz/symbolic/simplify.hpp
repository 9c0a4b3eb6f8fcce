#pragma once
/// Rewriting for people: equations that read like a textbook's.

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// An equal expression that is at most as long when printed: expands where terms cancel, uses sin^2 + cos^2 = 1 and the
/// double-angle and hyperbolic identities, cancels and collects common factors. Let nodes stay closed. Never changes
/// the value where the input is defined. Idempotent and deterministic. The effort is bounded: an expression of more
/// than 3000 nodes is returned as it is, a long one is simplified as far as the budget goes.
Expr simplify(Expr f);
/// All products of sums and small integer powers of sums multiplied out.
Expr expand(Expr f);
/// The number of operators and operands printed for f; shared subexpressions count each time (saturating).
std::size_t printed_size(Expr f);

}  // namespace herglotz::symbolic
