#include <algorithm>
#include <limits>

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "simplify/factors.hpp"
#include "simplify/measure.hpp"

namespace herglotz::symbolic {

namespace {

constexpr std::size_t kSaturated = std::numeric_limits<std::size_t>::max() / 4;
constexpr std::size_t kMixed = 6;  ///< charge for parentheses around terms of different degree, such as l*(l*w^2/2 - g)
constexpr std::size_t kNested = 6;  ///< charge for parentheses inside parentheses
constexpr std::size_t kLong = 2;    ///< charge for each term beyond two in parentheses

std::size_t plus(std::size_t a, std::size_t b) {
  return std::min(a + b, kSaturated);
}

/// Returns the number of operators and operands of a product, given these numbers for its factors.
template <class Size>
std::size_t factors_size(const std::vector<Factor>& factors, Size size_of) {
  std::size_t size = 0;
  for (const Factor& factor : factors) {
    const bool root = factor.exponent == *Rational::make(1, 2);
    const std::size_t exponent = factor.exponent == Rational(1) ? 0 : root ? 1 : factor.exponent.is_integer() ? 2 : 4;
    size = plus(size, plus(size_of(factor.base), exponent));
  }
  return factors.empty() ? 0 : plus(size, factors.size() - 1);
}

template <class Size>
std::size_t quotient_size(Expr f, Size size_of) {
  const Quotient q = quotient_of(f);
  std::size_t above = factors_size(q.numerator, size_of);
  const bool scaled = q.coefficient.num() != 1 || q.real != 1.0;
  if (scaled || above == 0) above += above == 0 ? 1 : 2;
  std::size_t below = factors_size(q.denominator, size_of);
  if (!q.coefficient.is_integer()) below += below == 0 ? 1 : 2;
  return below == 0 ? above : plus(above, plus(below, 1));
}

template <class Size>
std::size_t node_size(Expr f, Size size_of) {
  const bool power = f.op() == Op::pow && f.child(1).op() == Op::rational;
  if (f.op() == Op::symbol || f.op() == Op::let) return 1;
  if (f.is_number() || f.op() == Op::mul || power) return quotient_size(f, size_of);
  std::size_t size = f.op() == Op::add ? f.arity() - 1 : 1;
  for (std::size_t i = 0; i < f.arity(); ++i) size = plus(size, size_of(f.child(i)));
  return size;
}

}  // namespace

const Reading& Measure::of(Expr f) {
  std::vector<Expr> open{f};
  while (!open.empty()) {
    const Expr node = open.back();
    const std::size_t before = open.size();
    const bool closed = node.op() == Op::let && !open_lets_;
    for (std::size_t i = 0; !closed && i < node.arity(); ++i) {
      if (!readings_.contains(node.child(i).id())) open.push_back(node.child(i));
    }
    if (open.size() > before) continue;
    open.pop_back();
    if (!readings_.contains(node.id())) readings_.emplace(node.id(), read(node));
  }
  return readings_.at(f.id());
}

Reading Measure::read(Expr f) const {
  if (f.op() == Op::let) return open_lets_ ? readings_.at(f.child(0).id()) : Reading{1, 1, false};
  const auto reading = [&](Expr child) -> const Reading& { return readings_.at(child.id()); };
  Reading result{node_size(f, [&](Expr child) { return reading(child).size; }),
                 node_size(f, [&](Expr child) { return reading(child).cost; }), false};
  const bool product = f.op() == Op::mul || f.op() == Op::pow;
  const bool transparent = product || f.op() == Op::add;
  for (std::size_t i = 0; transparent && i < f.arity(); ++i) {
    const Expr child = f.child(i);
    const bool parentheses = product && child.op() == Op::add;
    if (parentheses && !is_homogeneous(child)) result.cost = plus(result.cost, kMixed);
    if (parentheses) result.cost = plus(result.cost, kLong * (child.arity() - 2));
    if (parentheses && reading(child).parentheses) result.cost = plus(result.cost, kNested);
    result.parentheses = result.parentheses || parentheses || reading(child).parentheses;
  }
  return result;
}

std::size_t printed_size(Expr f) {
  return Measure().of(f).size;
}

}  // namespace herglotz::symbolic
