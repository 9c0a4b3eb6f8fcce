#include "splitting_constants.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace herglotz::discrete {
namespace {

using symbolic::Graph;
using symbolic::NodeId;
using symbolic::Op;

class Hoist {
 public:
  Hoist(const symbolic::Program& step, Expr h) : graph_(*step.graph), inputs_(step.parameters) { inputs_.push_back(h); }

  std::vector<Expr> operator()(const std::vector<Expr>& outputs) {
    for (const NodeId id : graph_.reachable(outputs)) rebuild(id);
    std::vector<Expr> result;
    for (const Expr& output : outputs) result.push_back(outside(output));
    return result;
  }

  std::vector<Expr> symbols;
  std::vector<Expr> values;

 private:
  void rebuild(NodeId id) {
    const Expr node(graph_, id);
    std::vector<Expr> children;
    for (std::size_t i = 0; i < node.arity(); ++i) children.push_back(node.child(i));
    const Op op = node.op();
    const bool leaf = children.empty();
    constant_[id] = leaf ? node.is_number() || std::find(inputs_.begin(), inputs_.end(), node) != inputs_.end()
                         : std::all_of(children.begin(), children.end(), [&](Expr c) { return constant_.at(c.id()); });
    if (leaf || constant_[id]) {
      rebuilt_.emplace(id, node);
    } else if (op == Op::let) {
      rebuilt_.emplace(id, rebuilt_.at(children[0].id()));
    } else if (op == Op::add || op == Op::mul) {
      rebuilt_.emplace(id, gathered(op, children));
    } else {
      for (Expr& child : children) child = outside(child);
      rebuilt_.emplace(id, op == Op::pow ? graph_.pow(children[0], children[1]) : graph_.function(op, children));
    }
  }

  /// Returns a sum or product in which the constant operands are one operand.
  Expr gathered(Op op, const std::vector<Expr>& operands) {
    std::vector<Expr> fixed;
    std::vector<Expr> varying;
    for (const Expr& operand : operands)
      (constant_.at(operand.id()) ? fixed : varying)
          .push_back(constant_.at(operand.id()) ? operand : rebuilt_.at(operand.id()));
    if (!fixed.empty()) varying.push_back(taken_out(op == Op::add ? graph_.add(fixed) : graph_.mul(fixed)));
    return op == Op::add ? graph_.add(varying) : graph_.mul(varying);
  }

  Expr outside(Expr f) { return constant_.at(f.id()) ? taken_out(f) : rebuilt_.at(f.id()); }

  Expr taken_out(Expr value) {
    if (value.arity() == 0) return value;
    const auto known = std::find(values.begin(), values.end(), value);
    if (known != values.end()) return symbols[static_cast<std::size_t>(known - values.begin())];
    values.push_back(value);
    symbols.push_back(graph_.symbol("step:" + std::to_string(symbols.size())));
    return symbols.back();
  }

  Graph& graph_;
  std::vector<Expr> inputs_;
  std::map<NodeId, bool> constant_;
  std::map<NodeId, Expr> rebuilt_;
};

}  // namespace

ExplicitPrograms with_constants(symbolic::Program step, Expr h) {
  Hoist hoist(step, h);
  step.outputs = hoist(step.outputs);
  step.variables.insert(step.variables.end(), hoist.symbols.begin(), hoist.symbols.end());
  symbolic::Program prepare{step.name + "_constants", step.graph, {h}, step.parameters, hoist.values};
  return {hoist.values.size(), std::move(prepare), std::move(step)};
}

}  // namespace herglotz::discrete
