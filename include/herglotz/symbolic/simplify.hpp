#pragma once
/// Rewriting of equations for readers, so that they look like equations in a textbook.

#include <cstdint>
#include <limits>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// Work that a number of simplifications may still do, counted in nodes and products of terms, never in time, so that
/// it is used up at the same place on every machine. Expressions after that place stay as they are.
struct Effort {
  std::int64_t left = std::numeric_limits<std::int64_t>::max();
  [[nodiscard]] bool is_spent() const { return left <= 0; }
};

/// Returns an equal expression that is at most as long when printed: expands where terms cancel, uses sin^2 + cos^2 = 1
/// and the double-angle and hyperbolic identities, cancels and collects common factors. Let nodes stay closed. It never
/// changes the value where the input is defined, and is idempotent and deterministic. The effort is bounded: an
/// expression of more than 3000 nodes is returned as it is, a long one is simplified as far as the budget goes.
Expr simplify(Expr f);
Expr simplify(Expr f, Effort& effort);
/// Multiplies out all products of sums and small integer powers of sums.
Expr expand(Expr f);
Expr expand(Expr f, Effort& effort);
/// Returns the number of operators and operands printed for f; shared subexpressions count each time (saturating).
std::size_t printed_size(Expr f);

}  // namespace herglotz::symbolic
