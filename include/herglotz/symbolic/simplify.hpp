#pragma once
/// Rewriting for people: equations that read like a textbook's.

#include <cstdint>
#include <limits>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// Work that a number of simplifications may still do, counted in nodes and products of terms, never in time: where it
/// is used up is the same on every machine. What is simplified afterwards stays as it is.
struct Effort {
  std::int64_t left = std::numeric_limits<std::int64_t>::max();
  [[nodiscard]] bool is_spent() const { return left <= 0; }
};

/// An equal expression that is at most as long when printed: expands where terms cancel, uses sin^2 + cos^2 = 1 and the
/// double-angle and hyperbolic identities, cancels and collects common factors. Let nodes stay closed. Never changes
/// the value where the input is defined. Idempotent and deterministic. The effort is bounded: an expression of more
/// than 3000 nodes is returned as it is, a long one is simplified as far as the budget goes.
Expr simplify(Expr f);
Expr simplify(Expr f, Effort& effort);
/// All products of sums and small integer powers of sums multiplied out.
Expr expand(Expr f);
Expr expand(Expr f, Effort& effort);
/// The number of operators and operands printed for f; shared subexpressions count each time (saturating).
std::size_t printed_size(Expr f);

}  // namespace herglotz::symbolic
