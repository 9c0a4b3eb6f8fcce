#include "herglotz/symbolic/simplify.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "graph/printed_nodes.hpp"
#include "herglotz/error.hpp"
#include "simplify/collect.hpp"
#include "simplify/identities.hpp"
#include "simplify/polynomial.hpp"

namespace herglotz::symbolic {

namespace {

constexpr std::size_t kMostNodes = 3000;     ///< larger graphs are too long to read and stay as they are
constexpr std::size_t kMostTermsInner = 40;  ///< for a subexpression that is rewritten on its own
constexpr std::size_t kMostTermsTop = 400;
constexpr std::int64_t kBudget = 120'000;
constexpr int kRounds = 8;

bool is_integer(Expr exponent) {
  return exponent.op() == Op::rational && exponent.rational().is_integer();
}

/// Returns true for sums, products and integer powers, which a polynomial expands.
bool is_algebraic(Expr f) {
  return f.op() == Op::add || f.op() == Op::mul || (f.op() == Op::pow && is_integer(f.child(1)));
}

/// One bottom-up pass: it turns every node into a polynomial in atoms, and finds a short way to write it.
class Pass {
 public:
  Pass(Graph& graph, std::int64_t budget, std::size_t most_terms, bool rewrite)
      : ring_(graph, budget, most_terms), reserve_(budget / 2), rewrite_(rewrite) {}

  void run(Expr f, const std::vector<NodeId>& nodes) {
    tops_.insert(f.id());
    for (const NodeId id : nodes) {
      const Expr node(f.graph(), id);
      if (is_algebraic(node) || node.op() == Op::let) continue;
      for (std::size_t i = 0; i < node.arity(); ++i) tops_.insert(node.child(i).id());
    }
    for (const NodeId id : nodes) visit({f.graph(), id});
  }

  [[nodiscard]] Expr best(Expr f) const { return best_.at(f.id()); }
  [[nodiscard]] const Polynomial& polynomial(Expr f) const { return polynomials_.at(f.id()); }
  Ring& ring() { return ring_; }

 private:
  void visit(Expr f) {
    const Expr same = with_best_children(f);
    Polynomial p;
    try {
      p = expanded(f, same);
    } catch (const Exhausted&) {
      p = ring_.power_of(ring_.atom(same, same));
    }
    const bool top = tops_.contains(f.id());
    const bool worth = rewrite_ && is_algebraic(f) && p.size() <= (top ? kMostTermsTop : kMostTermsInner) &&
                       (top || ring_.budget() > reserve_);
    best_.emplace(f.id(), worth ? shortest(same, p) : same);
    polynomials_.emplace(f.id(), std::move(p));
  }

  /// Returns f over the best forms of its children.
  Expr with_best_children(Expr f) const {
    if (f.arity() == 0 || f.op() == Op::let) return f;
    std::vector<Expr> children;
    for (std::size_t i = 0; i < f.arity(); ++i) children.push_back(best(f.child(i)));
    return rebuilt(f, children);
  }

  Polynomial expanded(Expr f, Expr same) {
    if (same.op() == Op::rational) return ring_.number(same.rational());
    switch (f.op()) {
      case Op::add: {
        Polynomial sum;
        for (std::size_t i = 0; i < f.arity(); ++i) sum = ring_.add(sum, polynomial(f.child(i)));
        return sum;
      }
      case Op::mul: {
        Polynomial product = ring_.number(Rational(1));
        for (std::size_t i = 0; i < f.arity(); ++i) product = ring_.multiply(product, polynomial(f.child(i)));
        return product;
      }
      case Op::pow:
        return f.child(1).op() == Op::rational ? power(f) : opaque(f, same);
      case Op::table:
      case Op::rational:
      case Op::real:
      case Op::symbol:
      case Op::let:
        return ring_.power_of(ring_.atom(f, f));
      case Op::atan2:
      case Op::select:
        return opaque(f, same);
      default: {
        const auto [atom, minus] = function_atom(ring_, f.op(), polynomial(f.child(0)), same);
        const auto [m, c] = ring_.product({{atom, Rational(1)}}, {});
        Polynomial p;
        ring_.add_term(p, m, minus ? negated(c) : c);
        return p;
      }
    }
  }

  /// Returns a function of expanded arguments as one atom.
  Polynomial opaque(Expr f, Expr same) {
    std::vector<Expr> arguments;
    for (std::size_t i = 0; i < f.arity(); ++i) arguments.push_back(ring_.expression(polynomial(f.child(i)), true));
    const Expr canonical = rebuilt(f, arguments);
    return ring_.power_of(ring_.atom(canonical, same));
  }

  Polynomial power(Expr f) {
    constexpr std::int64_t kMostExpanded = 16;
    const Polynomial& base = polynomial(f.child(0));
    const Rational exponent = f.child(1).rational();
    if (!exponent.is_integer()) return root(base, best(f.child(0)), exponent);
    const std::int64_t n = exponent.num();
    if (base.size() == 1) return monomial_power(*base.begin(), n);
    if (n > kMostExpanded || n < -kMostExpanded) throw Exhausted{};
    return n > 0 ? ring_.power(base, n) : inverse_power(base, best(f.child(0)), n);
  }

  Polynomial monomial_power(const std::pair<const Monomial, Rational>& term, std::int64_t n) {
    Monomial m = term.first;
    for (Power& power : m) power.exponent = exact(multiply(power.exponent, Rational(n)));
    const auto [merged, number] = ring_.product(m, {});
    Polynomial p;
    ring_.add_term(p, merged, exact(multiply(number, exact(symbolic::power(term.second, n)))));
    return p;
  }

  Polynomial root(const Polynomial& base, Expr shown, const Rational& exponent) {
    const bool single = base.size() == 1 && base.begin()->second == Rational(1) && base.begin()->first.size() == 1 &&
                        base.begin()->first.front().exponent == Rational(1);
    if (single) return ring_.power_of(base.begin()->first.front().atom, exponent);
    const std::uint32_t atom = ring_.atom(ring_.expression(base, true), shown);
    if (base.size() > 1) ring_.define(atom, base);
    return ring_.power_of(atom, exponent);
  }

  /// Returns a power with a sum in the denominator. Numbers and common factors of the sum are moved out, so that they
  /// cancel.
  Polynomial inverse_power(const Polynomial& base, Expr shown, std::int64_t n) {
    if (base.empty()) throw Exhausted{};
    Split split = ring_.split(base);
    if (compare(split.rest.rbegin()->second, Rational(0)) < 0) {
      split.rest = ring_.add({}, split.rest, Rational(-1));
      split.content = negated(split.content);
    }
    if (rewrite_) split.rest = with_pythagoras(ring_, split.rest);
    const auto outside = monomial_power({split.common, split.content}, n);
    if (split.rest.size() == 1) return ring_.multiply(outside, monomial_power(*split.rest.begin(), n));
    const bool whole = split.common.empty() && split.content == Rational(1);
    const Expr written = !rewrite_ ? ring_.expression(split.rest, true)
                         : whole   ? ring_.better(collected(ring_, split.rest), shown)
                                   : collected(ring_, split.rest);
    const std::uint32_t atom = ring_.atom(ring_.expression(split.rest, true), written);
    ring_.define(atom, split.rest);
    return ring_.multiply(outside, ring_.power_of(atom, Rational(n)));
  }

  /// Returns the shortest of the given form and the forms that the identities lead to; the given form on a tie.
  Expr shortest(Expr given, const Polynomial& p) {
    Expr best = given;
    try {
      const auto consider = [&](const Polynomial& candidate) {
        best = ring_.better(best, collected(ring_, candidate));
        return candidate;
      };
      consider(p);
      const Polynomial reduced = with_pythagoras(ring_, p);
      if (reduced != p) consider(reduced);
      const Polynomial angles = with_sums_of_angles(ring_, reduced);
      if (angles != reduced) consider(angles);
      const Polynomial early = with_sums_of_angles(ring_, p);
      if (early != angles) consider(with_pythagoras(ring_, early));
      const Polynomial doubled = with_double_angles(ring_, angles);
      if (doubled != angles) consider(doubled);
      const Polynomial cancelled = with_cancelled_denominators(ring_, reduced);
      if (cancelled != reduced) consider(cancelled);
    } catch (const Exhausted&) {
      // The best form so far is correct; the effort is bounded by design.
    }
    return best;
  }

  Ring ring_;
  std::int64_t reserve_;
  bool rewrite_;
  std::unordered_set<NodeId> tops_;
  std::unordered_map<NodeId, Expr> best_;
  std::unordered_map<NodeId, Polynomial> polynomials_;
};

/// Charge that takes from the effort the part of its budget that a pass over `nodes` nodes spends, however the pass
/// ends.
class Charge {
 public:
  Charge(Effort& effort, Pass& pass, std::size_t nodes, std::int64_t budget)
      : effort_(effort), pass_(pass), nodes_(static_cast<std::int64_t>(nodes)), budget_(budget) {}
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;
  ~Charge() { effort_.left -= kPerNode * nodes_ + budget_ - pass_.ring().budget(); }

 private:
  /// The cost of a node, in products of terms.
  static constexpr std::int64_t kPerNode = 10;

  Effort& effort_;
  Pass& pass_;
  std::int64_t nodes_;
  std::int64_t budget_;
};

std::vector<NodeId> nodes_of(Expr f) {
  const std::array<Expr, 1> outputs{f};
  return visible_nodes(f.graph(), outputs);
}

}  // namespace

Expr simplify(Expr f) {
  Effort unbounded;
  return simplify(f, unbounded);
}

Expr simplify(Expr f, Effort& effort) {
  Expr best = f;
  for (int round = 0; round < kRounds && !effort.is_spent(); ++round) {
    const std::vector<NodeId> nodes = nodes_of(best);
    if (nodes.size() > kMostNodes) return best;
    const std::int64_t budget = std::min(kBudget, effort.left);
    Pass pass(f.graph(), budget, kMostTermsTop, true);
    const Charge charge(effort, pass, nodes.size(), budget);
    try {
      pass.run(best, nodes);
      const Expr next = pass.best(best);
      if (pass.ring().better(best, next) == best) return best;
      best = next;
    } catch (const Refused&) {
      return best;  // regrouped constants would leave the range of doubles; the current form does not
    }
  }
  return best;
}

Expr expand(Expr f) {
  Effort unbounded;
  return expand(f, unbounded);
}

Expr expand(Expr f, Effort& effort) {
  constexpr std::int64_t kExpandBudget = 20'000'000;
  constexpr std::size_t kExpandTerms = 200'000;
  if (effort.is_spent()) return f;
  const std::vector<NodeId> nodes = nodes_of(f);
  const std::int64_t budget = std::min(kExpandBudget, effort.left);
  Pass pass(f.graph(), budget, kExpandTerms, false);
  const Charge charge(effort, pass, nodes.size(), budget);
  pass.run(f, nodes);
  return pass.ring().expression(pass.polynomial(f), true);
}

}  // namespace herglotz::symbolic
