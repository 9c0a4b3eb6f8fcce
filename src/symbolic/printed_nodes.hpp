#pragma once
/// Walks over the part of a graph that is printed.

#include <span>
#include <vector>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

/// The nodes of the outputs, children first; what lies inside lets is hidden.
std::vector<NodeId> visible_nodes(Graph& graph, std::span<const Expr> outputs);
/// simplify.hpp's size with the values of lets in place of their names, if wanted.
std::size_t printed_size(Expr f, bool open_lets);
/// What simplify minimises: the printed size, and a charge for parentheses around terms of different degree.
std::size_t reading_cost(Expr f);
/// The operation of f on other operands; leaves and lets stay.
Expr rebuilt(Expr f, std::span<const Expr> children);

}  // namespace herglotz::symbolic
