#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

#include "factors.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "printed_nodes.hpp"

namespace herglotz::symbolic {

namespace {

constexpr std::size_t kSaturated = std::numeric_limits<std::size_t>::max() / 4;

std::size_t plus(std::size_t a, std::size_t b) {
  return std::min(a + b, kSaturated);
}

using Sizes = std::unordered_map<NodeId, std::size_t>;

std::size_t factors_size(const std::vector<Factor>& factors, const Sizes& sizes) {
  std::size_t size = 0;
  for (const Factor& factor : factors) {
    const bool root = factor.exponent == *Rational::make(1, 2);
    const std::size_t exponent = factor.exponent == Rational(1) ? 0 : root ? 1 : factor.exponent.is_integer() ? 2 : 4;
    size = plus(size, plus(sizes.at(factor.base.id()), exponent));
  }
  return factors.empty() ? 0 : plus(size, factors.size() - 1);
}

std::size_t quotient_size(Expr f, const Sizes& sizes) {
  const Quotient q = quotient_of(f);
  std::size_t above = factors_size(q.numerator, sizes);
  const bool scaled = q.coefficient.num() != 1 || q.real != 1.0;
  if (scaled || above == 0) above += above == 0 ? 1 : 2;
  std::size_t below = factors_size(q.denominator, sizes);
  if (!q.coefficient.is_integer()) below += below == 0 ? 1 : 2;
  return below == 0 ? above : plus(above, plus(below, 1));
}

std::size_t node_size(Expr f, const Sizes& sizes) {
  switch (f.op()) {
    case Op::symbol:
    case Op::let:
      return 1;
    case Op::rational:
    case Op::real:
    case Op::mul:
      return quotient_size(f, sizes);
    case Op::pow:
      if (f.child(1).op() == Op::rational) return quotient_size(f, sizes);
      break;
    default:
      break;
  }
  std::size_t size = f.op() == Op::add ? f.arity() - 1 : 1;
  for (std::size_t i = 0; i < f.arity(); ++i) size = plus(size, sizes.at(f.child(i).id()));
  return size;
}

/// Parentheses around terms of different degree, such as l*(l*w^2/2 - g): they tear apart what belongs together.
std::size_t mixed_parentheses(Expr f) {
  std::size_t count = 0;
  const bool product = f.op() == Op::mul || f.op() == Op::pow;
  for (std::size_t i = 0; product && i < f.arity(); ++i) {
    if (f.child(i).op() == Op::add && !is_homogeneous(f.child(i))) ++count;
  }
  return count;
}

}  // namespace

std::size_t printed_size(Expr f) {
  return printed_size(f, false);
}

std::size_t printed_size(Expr f, bool open_lets) {
  Sizes sizes;
  const std::array<Expr, 1> outputs{f};
  for (const NodeId id : f.graph().reachable(outputs)) {
    const Expr node(f.graph(), id);
    const bool open = open_lets && node.op() == Op::let;
    sizes[id] = open ? sizes.at(node.child(0).id()) : node_size(node, sizes);
  }
  return sizes.at(f.id());
}

std::size_t reading_cost(Expr f) {
  constexpr std::size_t kMixed = 6;
  Sizes costs;
  const std::array<Expr, 1> outputs{f};
  for (const NodeId id : visible_nodes(f.graph(), outputs)) {
    const Expr node(f.graph(), id);
    costs[id] = plus(node_size(node, costs), kMixed * mixed_parentheses(node));
  }
  return costs.at(f.id());
}

}  // namespace herglotz::symbolic
