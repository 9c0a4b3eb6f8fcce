#include "graph/printed_nodes.hpp"

#include <unordered_set>

namespace herglotz::symbolic {

std::vector<NodeId> visible_nodes(Graph& graph, std::span<const Expr> outputs) {
  std::vector<NodeId> nodes = graph.reachable(outputs);
  std::unordered_set<NodeId> seen;
  for (const Expr f : outputs) seen.insert(f.id());
  for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
    if (!seen.contains(*id) || graph.op(*id) == Op::let) continue;
    for (const NodeId child : graph.children(*id)) seen.insert(child);
  }
  std::erase_if(nodes, [&](NodeId id) { return !seen.contains(id); });
  return nodes;
}

Expr rebuilt(Expr f, std::span<const Expr> children) {
  Graph& graph = f.graph();
  switch (f.op()) {
    case Op::rational:
    case Op::real:
    case Op::symbol:
    case Op::let:
      return f;
    case Op::add:
      return graph.add(children);
    case Op::mul:
      return graph.mul(children);
    case Op::pow:
      return graph.pow(children[0], children[1]);
    default:
      return graph.function(f.op(), children);
  }
}

}  // namespace herglotz::symbolic
