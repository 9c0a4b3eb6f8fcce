#include <algorithm>
#include <string>
#include <unordered_map>

#include "graph/printed_nodes.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::symbolic {

namespace {

/// The least size of a repetition that gets a name. A product of two symbols, a difference or the sine of a symbol is
/// easier to read in place.
constexpr std::size_t kShortest = 8;

/// Returns the first prefix with which no name of a symbol or a named subexpression is numbered.
std::string free_prefix(std::span<const Expr> outputs) {
  Graph& graph = outputs.front().graph();
  std::vector<Expr> symbols;
  for (const NodeId id : graph.reachable(outputs))
    if (graph.op(id) == Op::symbol || graph.op(id) == Op::let) symbols.emplace_back(graph, id);
  const auto taken = [&](const std::string& prefix) {
    return std::any_of(symbols.begin(), symbols.end(), [&](Expr x) {
      const std::size_t end = x.name().find_last_not_of("0123456789") + 1;
      return end < x.name().size() && x.name().substr(0, end) == prefix;
    });
  };
  for (const char* prefix : {"t", "s", "r", "h", "k"}) {
    if (!taken(prefix)) return prefix;
  }
  std::string prefix = "t_";
  while (taken(prefix)) prefix += "_";
  return prefix;
}

}  // namespace

Named common_subexpressions(std::span<const Expr> outputs, std::size_t largest) {
  Named named{{}, {outputs.begin(), outputs.end()}};
  std::size_t total = 0;
  for (const Expr f : outputs) total = std::min(total + printed_size(f), std::size_t{1} << 60U);
  if (total <= largest) return named;
  Graph& graph = outputs.front().graph();
  const std::vector<NodeId> nodes = visible_nodes(graph, outputs);
  std::unordered_map<NodeId, std::size_t> uses;
  for (const NodeId id : nodes) {
    const bool closed = graph.op(id) == Op::let;
    if (closed) continue;
    for (const NodeId child : graph.children(id)) ++uses[child];
  }
  for (const Expr f : outputs) ++uses[f.id()];
  const std::string prefix = free_prefix(outputs);
  std::unordered_map<NodeId, Expr> now;
  std::unordered_map<NodeId, std::size_t> size;
  std::vector<Expr> children;
  for (const NodeId id : nodes) {
    const Expr f(graph, id);
    children.clear();
    std::size_t here = 1;
    const std::size_t arity = f.op() == Op::let ? 0 : f.arity();
    for (std::size_t i = 0; i < arity; ++i) {
      children.push_back(now.at(f.child(i).id()));
      here += size.at(f.child(i).id()) + (i > 0 ? 1 : 0);
    }
    Expr value = rebuilt(f, children);
    const bool worth = arity > 0 && uses[id] > 1 && here >= kShortest && !value.is_number();
    if (worth) {
      const std::string name = prefix + std::to_string(named.where.size() + 1);
      named.where.emplace_back(name, value);
      value = graph.symbol(name);
      here = 1;
    }
    now[id] = value;
    size[id] = here;
  }
  for (Expr& f : named.expressions) f = now.at(f.id());
  return named;
}

}  // namespace herglotz::symbolic
