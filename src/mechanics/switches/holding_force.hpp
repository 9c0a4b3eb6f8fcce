#pragma once
/// Multipliers of frictions that hold.

#include <cstddef>
#include <string>
#include <string_view>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::mechanics {

/// No name in a model has a space.
inline constexpr std::string_view holding_force_name = "holding force ";

/// Returns the symbol of the k-th force by which frictions hold a motion.
inline symbolic::Expr holding_force(symbolic::Graph& graph, std::size_t k) {
  return graph.symbol(std::string(holding_force_name) + std::to_string(k));
}

inline bool is_holding_force(const symbolic::Expr& multiplier) {
  return multiplier.name().starts_with(holding_force_name);
}

}  // namespace herglotz::mechanics
