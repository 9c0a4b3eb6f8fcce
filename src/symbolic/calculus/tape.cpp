#include "calculus/tape.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "herglotz/error.hpp"

namespace herglotz::symbolic {

namespace {

Expr partial_of_power(Expr f, std::size_t i) {
  const Expr base = f.child(0);
  const Expr exponent = f.child(1);
  return i == 0 ? exponent * pow(base, exponent - 1.0) : log(base) * f;
}

Expr partial_of_atan2(Expr f, std::size_t i) {
  const Expr y = f.child(0);
  const Expr x = f.child(1);
  const Expr inverse = pow(pow(x, 2) + pow(y, 2), -1);
  return i == 0 ? x * inverse : -(y * inverse);
}

Expr partial_derivative(Expr f, std::size_t i) {
  const Expr x = f.child(0);
  switch (f.op()) {
    case Op::pow:
      return partial_of_power(f, i);
    case Op::atan2:
      return partial_of_atan2(f, i);
    case Op::exp:
      return f;
    case Op::log:
      return pow(x, -1);
    case Op::sin:
      return cos(x);
    case Op::cos:
      return -sin(x);
    case Op::tan:
      return 1.0 + pow(f, 2);
    case Op::asin:
      return pow(1.0 - pow(x, 2), -0.5);
    case Op::acos:
      return -pow(1.0 - pow(x, 2), -0.5);
    case Op::atan:
      return pow(1.0 + pow(x, 2), -1);
    case Op::sinh:
      return cosh(x);
    case Op::cosh:
      return sinh(x);
    case Op::tanh:
      return 1.0 - pow(f, 2);
    case Op::table:
      return table_rate(f);
    case Op::abs:
      return sign(x);
    case Op::sign:
    case Op::floor:
      return f.graph().number(0);
    default:
      throw std::logic_error("this operation is differentiated by its own rule");
  }
}

}  // namespace

DependencyTape::DependencyTape(std::span<const Expr> outputs, std::span<const Expr> variables) {
  if (outputs.empty()) return;
  graph_ = &outputs.front().graph();
  const auto order = graph_->reachable(outputs);
  positions_.assign(std::size_t{order.back()} + 1, kConstant);
  std::vector<std::uint32_t> index(positions_.size(), kConstant);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Expr x = variables[i];
    if (!x.valid() || &x.graph() != graph_ || x.op() != Op::symbol) {
      throw Refused("a derivative with respect to something that is not a symbol of this graph");
    }
    if (x.id() < index.size()) index[x.id()] = static_cast<std::uint32_t>(i);
  }
  for (const NodeId id : order) {
    const Op op = graph_->op(id);
    const auto children = graph_->children(id);
    const auto first = static_cast<std::uint32_t>(operands_.size());
    std::uint32_t last = index[id];
    for (const NodeId child : children) {
      const Position p = positions_[child];
      if (p != kConstant) last = last == kConstant ? last_variable(p) : std::max(last, last_variable(p));
    }
    if (last == kConstant) continue;
    for (const NodeId child : children) operands_.push_back(positions_[child]);
    positions_[id] = static_cast<Position>(nodes_.size());
    nodes_.push_back({id, op, first, static_cast<std::uint32_t>(children.size()), last});
  }
  partials_.resize(operands_.size());
}

DependencyTape::Position DependencyTape::position(Expr f) const {
  return f.id() < positions_.size() ? positions_[f.id()] : kConstant;
}

Expr DependencyTape::partial(Position p, std::size_t i) {
  Expr& known = partials_[nodes_[p].first + i];
  if (!known.valid()) known = partial_derivative(node(p), i);
  return known;
}

}  // namespace herglotz::symbolic
