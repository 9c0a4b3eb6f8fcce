#pragma once
/// Walks over the part of a graph that is printed.

#include <span>
#include <vector>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

/// The nodes of the outputs, children first; what lies inside lets is hidden.
std::vector<NodeId> visible_nodes(Graph& graph, std::span<const Expr> outputs);
/// The operation of f on other operands; leaves and lets stay.
Expr rebuilt(Expr f, std::span<const Expr> children);

}  // namespace herglotz::symbolic
