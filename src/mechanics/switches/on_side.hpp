#pragma once
/// Values on the sides of a switch.

#include <cstdint>
#include <vector>

#include "herglotz/mechanics/events/switches.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {

/// Returns f where the function of a switch has one sign.
inline Expr on_side(const Switch& one, const Expr& f, std::int64_t side) {
  const std::vector<Expr> modes{one.mode};
  return symbolic::substitute(f, modes, std::vector<Expr>{one.mode.graph().number(side)});
}

}  // namespace herglotz::mechanics
