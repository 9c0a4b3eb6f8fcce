#include "herglotz/symbolic/factor.hpp"

#include <map>
#include <numeric>
#include <utility>

#include "factor/polynomials.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::symbolic {
namespace {

using factor::Exhausted;
using factor::Polynomial;
using factor::Polynomials;

constexpr std::size_t most_nodes = 4000;
constexpr std::size_t most_atoms = 60;
constexpr std::int64_t budget = 200'000;

bool is_rational_power(Expr f) {
  return f.op() == Op::pow && f.child(1).op() == Op::rational;
}

bool is_ring_operation(Expr f) {
  return f.op() == Op::add || f.op() == Op::mul || f.op() == Op::rational || is_rational_power(f);
}

/// A quotient of polynomials in lowest terms.
struct Fraction {
  Polynomial above;
  Polynomial below;
};

class Fractions {
 public:
  explicit Fractions(Expr f)
      : graph_(f.graph()), nodes_(nodes_of(f)), atoms_(atoms_of()), ring_(atoms_.size(), budget) {
    for (const Expr& node : nodes_) known_.emplace(node.id(), of(node));
  }

  [[nodiscard]] std::vector<Expr> factors(Expr f) {
    std::vector<Expr> found;
    for (const Polynomial& factor : ring_.distinct_factors(known_.at(f.id()).above)) found.push_back(written(factor));
    return found;
  }
  [[nodiscard]] bool vanishes(Expr f) const { return known_.at(f.id()).above.empty(); }

 private:
  /// Returns the nodes through which the quotient is built, children first. Atoms are not entered.
  static std::vector<Expr> nodes_of(Expr f) {
    std::vector<Expr> order;
    std::map<NodeId, bool> seen;
    std::vector<std::pair<Expr, bool>> stack{{f, false}};
    while (!stack.empty()) {
      const auto [node, ready] = stack.back();
      stack.pop_back();
      if (ready) {
        order.push_back(node);
        continue;
      }
      if (!seen.emplace(node.id(), true).second) continue;
      if (order.size() + stack.size() > most_nodes) throw Exhausted{};
      stack.emplace_back(node, true);
      if (!is_ring_operation(node)) continue;
      const std::size_t operands = node.op() == Op::pow ? 1 : node.arity();
      for (std::size_t i = 0; i < operands; ++i) stack.emplace_back(node.child(i), false);
    }
    return order;
  }

  /// Returns the symbols, the functions, and for each base its root by the least common denominator of its exponents.
  std::vector<Expr> atoms_of() {
    std::vector<Expr> atoms;
    for (const Expr& node : nodes_) {
      if (!is_ring_operation(node)) {
        index_.emplace(node.id(), atoms.size());
        atoms.push_back(node);
      } else if (is_rational_power(node) && !node.child(1).rational().is_integer()) {
        auto& root = roots_[node.child(0).id()];
        root.second = std::lcm(root.second == 0 ? 1 : root.second, node.child(1).rational().den());
        root.first = node.child(0);
      }
    }
    for (auto& [id, root] : roots_) {
      root_index_.emplace(id, atoms.size());
      atoms.push_back(graph_.pow(root.first, graph_.number(*Rational::make(1, root.second))));
    }
    if (atoms.size() > most_atoms) throw Exhausted{};
    return atoms;
  }

  Fraction number(const Rational& q) { return {ring_.constant(q), ring_.constant(Rational(1))}; }

  Fraction reduced(Polynomial above, Polynomial below) {
    if (above.empty()) return number(Rational(0));
    const Polynomial common = ring_.gcd(above, below);
    if (Polynomials::is_constant(common)) return {std::move(above), std::move(below)};
    return {*ring_.quotient(std::move(above), common), *ring_.quotient(std::move(below), common)};
  }

  Fraction sum(const Fraction& a, const Fraction& b) {
    if (a.below == b.below) return reduced(ring_.sum(a.above, b.above), a.below);
    return reduced(ring_.sum(ring_.product(a.above, b.below), ring_.product(b.above, a.below)),
                   ring_.product(a.below, b.below));
  }

  Fraction power(Fraction base, std::int64_t n) {
    constexpr std::int64_t largest = 24;
    if (n > largest || n < -largest) throw Exhausted{};
    if (n < 0) {
      if (base.above.empty()) throw Exhausted{};
      std::swap(base.above, base.below);
      n = -n;
    }
    return {ring_.power(base.above, n), ring_.power(base.below, n)};
  }

  Fraction of(Expr f) {
    if (f.op() == Op::rational) return number(f.rational());
    if (f.op() == Op::add) {
      Fraction total = number(Rational(0));
      for (std::size_t i = 0; i < f.arity(); ++i) total = sum(total, known_.at(f.child(i).id()));
      return total;
    }
    if (f.op() == Op::mul) {
      Fraction total = number(Rational(1));
      for (std::size_t i = 0; i < f.arity(); ++i) {
        const Fraction& next = known_.at(f.child(i).id());
        total = reduced(ring_.product(total.above, next.above), ring_.product(total.below, next.below));
      }
      return total;
    }
    if (is_rational_power(f)) {
      const Rational exponent = f.child(1).rational();
      if (exponent.is_integer()) return power(known_.at(f.child(0).id()), exponent.num());
      const Expr base = f.child(0);
      const Fraction root{ring_.variable(root_index_.at(base.id())), ring_.constant(Rational(1))};
      return power(root, exponent.num() * (roots_.at(base.id()).second / exponent.den()));
    }
    return {ring_.variable(index_.at(f.id())), ring_.constant(Rational(1))};
  }

  /// Returns p with integer coefficients, of which the leading one is positive.
  Expr written(const Polynomial& p) {
    Rational scale{1};
    for (const auto& [m, c] : p) {
      const std::int64_t den = exact(multiply(c, scale)).den();
      scale = exact(multiply(scale, Rational(den)));
    }
    std::vector<Expr> terms;
    for (const auto& [m, c] : p) {
      std::vector<Expr> factors{graph_.number(exact(multiply(c, scale)))};
      for (std::size_t i = 0; i < m.size(); ++i)
        if (m[i] != 0) factors.push_back(graph_.pow(atoms_[i], graph_.number(static_cast<std::int64_t>(m[i]))));
      terms.push_back(graph_.mul(factors));
    }
    return graph_.add(terms);
  }

  static Rational exact(const std::optional<Rational>& q) {
    if (!q) throw Exhausted{};
    return *q;
  }

  Graph& graph_;
  std::vector<Expr> nodes_;
  std::map<NodeId, std::size_t> index_;
  std::map<NodeId, std::pair<Expr, std::int64_t>> roots_;
  std::map<NodeId, std::size_t> root_index_;
  std::vector<Expr> atoms_;
  Polynomials ring_;
  std::map<NodeId, Fraction> known_;
};

}  // namespace

std::vector<Expr> factors_of_numerator(Expr f) {
  const Expr opened = expand_lets(f);
  if (opened.is_zero()) return {opened};
  if (opened.is_number()) return {};
  try {
    Fractions fractions(opened);
    if (fractions.vanishes(opened)) return {f.graph().number(std::int64_t{0})};
    return fractions.factors(opened);
  } catch (const Exhausted&) {
    return {f};
  }
}

}  // namespace herglotz::symbolic
