#include "herglotz/symbolic/copy.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "herglotz/error.hpp"

namespace herglotz::symbolic {
namespace {

/// Makes a node again, with the given operands.
Expr made_again(const Graph& from, NodeId id, std::span<const Expr> operands, Graph& to) {
  switch (from.op(id)) {
    case Op::rational:
      return to.number(from.rational(id));
    case Op::real:
      return to.real(from.value(id));
    case Op::symbol:
      return to.symbol(from.name(id));
    case Op::let:
      return to.let(from.name(id), operands.front());
    case Op::add:
      return to.add(operands);
    case Op::mul:
      return to.mul(operands);
    case Op::pow:
      return to.pow(operands[0], operands[1]);
    default:
      return to.function(from.op(id), operands);
  }
}

}  // namespace

Copies::Copies(std::span<const Expr> outputs, Graph& to) : to_(&to) {
  if (outputs.empty()) return;
  const Graph& from = outputs.front().graph();
  if (std::any_of(outputs.begin(), outputs.end(), [&](const Expr& f) { return &f.graph() != &from; }))
    throw Refused("expressions of two graphs in one copy", "copy those of each graph to a graph of their own");
  from_ = &from;
  // Nodes refer to tables by their numbers, so the copy has all tables in the same order.
  for (const auto& table : from.tables()) to.tabulated(*table, to.number(0));
  std::vector<Expr> operands;
  for (const NodeId id : from.reachable(outputs)) {
    operands.clear();
    for (const NodeId child : from.children(id)) operands.emplace_back(to, copies_.at(child));
    // A node that is not shared would be flattened into the sums and products around it.
    const Expr copy = to.share(made_again(from, id, operands, to));
    if (copy.op() != from.op(id) || copy.arity() != operands.size())
      throw std::logic_error("a copied expression has another form");
    copies_.emplace(id, copy.id());
  }
  std::vector<Expr> kept;
  kept.reserve(outputs.size());
  for (const Expr& f : outputs) kept.push_back((*this)(f));
  to.forget_uses(kept);
}

Expr Copies::operator()(Expr f) const {
  const auto copy = f.valid() && &f.graph() == from_ ? copies_.find(f.id()) : copies_.end();
  if (copy == copies_.end()) throw Refused("an expression that was not copied", "name it among the outputs");
  return {*to_, copy->second};
}

}  // namespace herglotz::symbolic
