#pragma once
/// Walks over the part of a graph that is printed.

#include <span>
#include <vector>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

/// Returns the nodes of the outputs, children first. Nodes inside lets are hidden.
std::vector<NodeId> visible_nodes(Graph& graph, std::span<const Expr> outputs);
/// Applies the operation of f to other operands; leaves and lets stay unchanged.
Expr rebuilt(Expr f, std::span<const Expr> children);

}  // namespace herglotz::symbolic
