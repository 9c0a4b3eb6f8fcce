#pragma once
/// Comparisons in expressions.

#include <algorithm>
#include <span>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::mechanics {

/// Returns the number of operands that a node compares.
constexpr std::size_t compared(symbolic::Op op) {
  using symbolic::Op;
  return op == Op::select ? 2 : op == Op::sign || op == Op::abs || op == Op::floor ? 1 : 0;
}

/// Returns whether there is a comparison in the values, whatever it depends on.
inline bool compares(const symbolic::Graph& graph, std::span<const symbolic::Expr> values) {
  const auto nodes = graph.reachable(values);
  return std::any_of(nodes.begin(), nodes.end(), [&](symbolic::NodeId id) { return compared(graph.op(id)) > 0; });
}

}  // namespace herglotz::mechanics
