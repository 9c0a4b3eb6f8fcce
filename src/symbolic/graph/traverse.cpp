
#include "herglotz/error.hpp"
#include "herglotz/symbolic/dependence.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

std::vector<Expr> free_symbols(std::span<const Expr> outputs) {
  if (outputs.empty()) return {};
  Graph& graph = outputs.front().graph();
  std::vector<Expr> symbols;
  for (const NodeId id : graph.reachable(outputs)) {
    if (graph.op(id) == Op::symbol) symbols.emplace_back(graph, id);
  }
  return symbols;
}

bool depends_on(Expr f, Expr x) {
  if (x.id() > f.id()) return false;
  const auto order = f.graph().reachable({&f, 1});
  for (const NodeId id : order) {
    if (id == x.id()) return true;
  }
  return false;
}

bool depends_on_any(Expr f, const std::vector<Expr>& symbols) {
  return std::any_of(symbols.begin(), symbols.end(), [&](const Expr& x) { return depends_on(f, x); });
}

namespace {

/// Rebuilds one node over new operands.
Expr rebuilt(Graph& graph, NodeId id, std::span<const Expr> operands) {
  const Op op = graph.op(id);
  switch (op) {
    case Op::add:
      return graph.add(operands);
    case Op::mul:
      return graph.mul(operands);
    case Op::pow:
      return graph.pow(operands[0], operands[1]);
    default:
      return graph.function(op, operands);
  }
}

/// Rebuilds all nodes above the replaced ones. A let whose value changes becomes its plain value, since the name
/// belongs to the old value.
std::vector<Expr> rebuild(std::span<const Expr> outputs, std::span<const Expr> from, std::span<const Expr> to,
                          bool open_lets) {
  if (outputs.empty()) return {};
  Graph& graph = outputs.front().graph();
  const auto order = graph.reachable(outputs);
  std::vector<Expr> values(std::size_t{order.back()} + 1);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].id() < values.size()) values[from[i].id()] = to[i];
  }
  std::vector<Expr> operands;
  for (const NodeId id : order) {
    if (values[id].valid()) continue;
    operands.clear();
    bool changed = open_lets && graph.op(id) == Op::let;
    for (const NodeId child : graph.children(id)) {
      operands.push_back(values[child]);
      changed = changed || values[child].id() != child;
    }
    const bool name_goes = changed && graph.op(id) == Op::let;
    values[id] = name_goes ? operands.front() : changed ? rebuilt(graph, id, operands) : Expr(graph, id);
  }
  std::vector<Expr> results;
  results.reserve(outputs.size());
  for (const Expr output : outputs) results.push_back(values[output.id()]);
  return results;
}

}  // namespace

std::vector<Expr> substitute(std::span<const Expr> f, std::span<const Expr> from, std::span<const Expr> to) {
  if (from.size() != to.size()) {
    throw Refused("a substitution needs one replacement for every replaced expression");
  }
  for (std::size_t i = 0; i < from.size() && !f.empty(); ++i) {
    if (&from[i].graph() != &f.front().graph() || &to[i].graph() != &f.front().graph()) {
      throw Refused("a substitution mixes expressions of two graphs", "build them in the same graph");
    }
  }
  return rebuild(f, from, to, false);
}

Expr substitute(Expr f, std::span<const Expr> from, std::span<const Expr> to) {
  return substitute(std::span<const Expr>(&f, 1), from, to).front();
}

Expr expand_lets(Expr f) {
  return rebuild({&f, 1}, {}, {}, true).front();
}

}  // namespace herglotz::symbolic
