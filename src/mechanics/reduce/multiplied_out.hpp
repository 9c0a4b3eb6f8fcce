#pragma once
/// The form in which the functions of reductions are compared with 0.

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {

/// Returns f without names, multiplied out and simplified.
inline Expr multiplied_out(const Expr& f) {
  return symbolic::simplify(symbolic::expand(symbolic::expand_lets(f)));
}

}  // namespace herglotz::mechanics
