#pragma once
/// Copies of expressions in a graph of their own.

#include <span>
#include <unordered_map>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

/// Copies of expressions in another graph, node by node: sums and products stay nested as they are, and symbols are in
/// the same order. Both graphs may then be used by different threads.
class Copies {
 public:
  /// Copies the outputs, and the tables of their graph, to the graph `to`, which must be empty. Throws Refused unless
  /// all outputs are expressions of one graph.
  Copies(std::span<const Expr> outputs, Graph& to);

  /// Returns the copy of an output, or of an expression inside one. Throws Refused for another expression.
  Expr operator()(Expr f) const;

 private:
  const Graph* from_ = nullptr;
  Graph* to_;
  std::unordered_map<NodeId, NodeId> copies_;
};

}  // namespace herglotz::symbolic
