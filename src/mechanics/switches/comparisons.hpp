#pragma once
/// Comparisons in expressions.

#include <algorithm>
#include <span>

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"

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

/// Returns the function that decides a comparison.
inline symbolic::Expr function_of(const symbolic::Expr& f) {
  return f.op() == symbolic::Op::select ? f.child(0) - f.child(1) : f.child(0);
}

/// Returns what a comparison is if `mode` is the sign of its function, or the value of a floor.
inline symbolic::Expr outcome(const symbolic::Expr& f, const symbolic::Expr& mode) {
  using symbolic::Op;
  if (f.op() == Op::select) return symbolic::select(mode, f.graph().number(0), f.child(2), f.child(3));
  return f.op() == Op::abs ? mode * f.child(0) : mode;
}

}  // namespace herglotz::mechanics
