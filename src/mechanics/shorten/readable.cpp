#include "shorten/readable.hpp"

#include <algorithm>
#include <unordered_map>

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Op;
using symbolic::printed_size;
using symbolic::Rational;

bool is_negative(Expr term) {
  if (term.is_number()) return term.value() < 0;
  if (term.op() != Op::mul) return false;
  for (std::size_t i = 0; i < term.arity(); ++i)
    if (term.child(i).is_number()) return term.child(i).value() < 0;
  return false;
}

/// Returns -term with its factors in one product, even if the graph would nest a shared product.
Expr negated(Expr term) {
  if (term.op() != Op::mul) return -term;
  std::vector<Expr> factors{term.graph().number(-1)};
  for (std::size_t i = 0; i < term.arity(); ++i) factors.push_back(term.child(i));
  return term.graph().mul(factors);
}

Expr negated_sum(Expr sum) {
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < sum.arity(); ++i) terms.push_back(negated(sum.child(i)));
  return sum.graph().add(terms);
}

bool has_negative_term(Expr sum) {
  for (std::size_t i = 0; i < sum.arity(); ++i)
    if (is_negative(sum.child(i))) return true;
  return false;
}

/// Writes -x*(a - b) as x*(b - a).
Expr without_minus(Expr product) {
  if (product.op() != Op::mul || !is_negative(product)) return product;
  for (std::size_t i = 0; i < product.arity(); ++i) {
    if (product.child(i).op() != Op::add || !has_negative_term(product.child(i))) continue;
    std::vector<Expr> factors{product.graph().number(-1), negated_sum(product.child(i))};
    for (std::size_t j = 0; j < product.arity(); ++j)
      if (j != i) factors.push_back(product.child(j));
    return product.graph().mul(factors);
  }
  return product;
}

/// Writes x*(-a - b) as -x*(a + b).
Expr with_minus_outside(Expr product) {
  if (product.op() != Op::mul) return product;
  std::vector<Expr> factors;
  for (std::size_t i = 0; i < product.arity(); ++i) {
    const Expr factor = product.child(i);
    bool all = factor.op() == Op::add;
    for (std::size_t k = 0; all && k < factor.arity(); ++k) all = is_negative(factor.child(k));
    if (all) factors.push_back(product.graph().number(-1));
    factors.push_back(all ? negated_sum(factor) : factor);
  }
  return product.graph().mul(factors);
}

/// Rewriter of sums and products with plain signs. It visits each node once: definitions that use each other twice are
/// graphs of few nodes whose written-out form has no bounded length.
class PlainSigns {
 public:
  Expr operator()(Expr f) {
    std::vector<Expr> open{f};
    while (!open.empty()) {
      const Expr node = open.back();
      const std::size_t before = open.size();
      for (std::size_t i = 0; is_rewritten(node) && i < node.arity(); ++i)
        if (!is_kept_in(node, node.child(i)) && !done_.contains(node.child(i).id())) open.push_back(node.child(i));
      if (open.size() > before) continue;
      open.pop_back();
      if (!done_.contains(node.id())) done_.emplace(node.id(), rewritten(node));
    }
    return done_.at(f.id());
  }

 private:
  static bool is_rewritten(Expr f) { return f.op() == Op::add || f.op() == Op::mul; }
  static bool is_kept_in(Expr f, Expr part) { return f.op() == Op::mul && part.op() == Op::mul; }

  Expr rewritten(Expr f) const {
    if (!is_rewritten(f)) return f;
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < f.arity(); ++i) {
      const Expr part = f.child(i);
      parts.push_back(is_kept_in(f, part) ? part : done_.at(part.id()));
    }
    if (f.op() == Op::mul) return with_minus_outside(f.graph().mul(parts));
    // A sum with a positive term starts with that term and subtracts the others, so only a sum of negative terms is
    // rewritten.
    const bool leads = std::all_of(parts.begin(), parts.end(), is_negative);
    for (std::size_t i = 0; leads && i < parts.size(); ++i) {
      const Expr positive = without_minus(parts[i]);
      if (positive == parts[i]) continue;
      parts[i] = positive;
      break;
    }
    return f.graph().add(parts);
  }

  std::unordered_map<symbolic::NodeId, Expr> done_;
};

}  // namespace

Expr with_plain_signs(Expr f) {
  return PlainSigns()(f);
}

Reader::Reader(const System& system) : definitions_(system.definitions) {
  for (const Expr definition : definitions_) {
    from_.push_back(definition);
    to_.push_back(definition);
  }
  for (const Expr definition : definitions_) {
    const Expr value = definition.child(0);
    if (value.arity() == 0) continue;
    name(value, definition);
    name(simplified(value), definition);
  }
}

/// Names the value, and also the expression of which it is a multiple or a power: 2*(a + b) names a + b, sqrt(s) names
/// every power of s.
void Reader::name(Expr value, Expr definition) {
  const auto pair = [&](Expr what, Expr by) {
    if (what.arity() == 0 || std::find(from_.begin(), from_.end(), what) != from_.end()) return;
    from_.push_back(what);
    to_.push_back(by);
    if (what.op() != Op::add) return;
    const Expr opposite = negated_sum(what);
    if (std::find(from_.begin(), from_.end(), opposite) != from_.end()) return;
    from_.push_back(opposite);
    to_.push_back(-by);
  };
  pair(value, definition);
  if (value.op() == Op::mul && value.arity() == 2 && value.child(0).op() == Op::rational)
    pair(value.child(1), definition / value.child(0));
  if (value.op() != Op::pow || value.child(1).op() != Op::rational) return;
  // Only whole powers of the definition are named: x^3 is not (x^2)^(3/2) for a negative x.
  for (const int n : {-4, -3, -2, -1, 2, 3, 4}) {
    const auto exponent = symbolic::multiply(value.child(1).rational(), Rational(n));
    if (exponent) pair(pow(value.child(0), value.graph().number(*exponent)), pow(definition, n));
  }
}

Expr Reader::simplified(Expr f) const {
  return printed_size(f) > largest_simplified ? f : symbolic::simplify(f, effort_);
}

Expr Reader::named(Expr f) const {
  return without_minus(with_plain_signs(symbolic::substitute(f, from_, to_)));
}

Expr Reader::operator()(Expr f) const {
  const Expr closed = named(simplified(f));
  if (definitions_.empty()) return closed;
  const Expr opened = symbolic::expand_lets(f);
  if (opened == f || printed_size(opened) > largest_simplified) return closed;
  const Expr other = named(simplified(opened));
  return printed_size(other) < printed_size(closed) ? other : closed;
}

std::vector<Expr> Reader::operator()(std::vector<Expr> f) const {
  for (Expr& e : f) e = (*this)(e);
  return f;
}

}  // namespace herglotz::mechanics
