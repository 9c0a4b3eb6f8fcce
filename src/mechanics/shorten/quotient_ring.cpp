#include "shorten/quotient_ring.hpp"

#include <algorithm>
#include <stdexcept>

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Op;

constexpr std::size_t most_terms = 800;
constexpr std::size_t most_products = 60000;
constexpr std::size_t longest_relation = 40;
constexpr std::size_t most_relations = 40;
constexpr std::size_t most_pairs = 300;
constexpr std::int64_t largest_exponent = 24;

/// Exception for a result beyond the bounds.
struct TooLarge : std::length_error {
  TooLarge() : std::length_error("polynomial beyond the bounds") {}
};

Rational fitting(const std::optional<Rational>& value) {
  if (!value) throw TooLarge();
  return *value;
}

template <typename Monomial>
Monomial times(const Monomial& a, const Monomial& b) {
  Monomial result{};
  for (std::size_t k = 0; k < result.size(); ++k) {
    if (a[k] + b[k] > 200) throw TooLarge();
    result[k] = static_cast<std::uint8_t>(a[k] + b[k]);
  }
  return result;
}

template <typename Monomial>
bool divides(const Monomial& a, const Monomial& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k] > b[k]) return false;
  return true;
}

template <typename Monomial>
Monomial quotient(const Monomial& a, const Monomial& b) {
  Monomial result{};
  for (std::size_t k = 0; k < a.size(); ++k) result[k] = static_cast<std::uint8_t>(a[k] - b[k]);
  return result;
}

/// Returns the monomial whose exponents are chosen from the exponents of a and b, one by one. The minimum gives the
/// common divisor.
template <typename Monomial, typename Choose>
Monomial combined(const Monomial& a, const Monomial& b, Choose choose) {
  Monomial result{};
  unsigned degree = 0;
  for (std::size_t k = 1; k < a.size(); ++k) {
    result[k] = choose(a[k], b[k]);
    degree += result[k];
  }
  if (degree > 200) throw TooLarge();
  result[0] = static_cast<std::uint8_t>(degree);
  return result;
}

/// Factors of f = multiple * base with an integer multiple.
struct Angle {
  std::int64_t multiple;
  Expr base;
};

Angle angle_of(Expr f) {
  if (f.op() != Op::mul || f.child(0).op() != Op::rational) return {1, f};
  const Rational factor = f.child(0).rational();
  std::vector<Expr> rest{f.graph().number(Rational::make(1, factor.den()).value())};
  for (std::size_t i = 1; i < f.arity(); ++i) rest.push_back(f.child(i));
  return {factor.num(), f.graph().mul(rest)};
}

/// Returns the terms of a sum, each as a multiple.
std::vector<Angle> angles_of(Expr f) {
  if (f.op() != Op::add) return {angle_of(f)};
  std::vector<Angle> angles;
  for (std::size_t i = 0; i < f.arity(); ++i) angles.push_back(angle_of(f.child(i)));
  return angles;
}

bool is_trigonometric(Op op) {
  return op == Op::sin || op == Op::cos || op == Op::tan;
}

}  // namespace

QuotientRing::QuotientRing(symbolic::Graph& graph, const std::vector<Expr>& relations, std::vector<Expr> first,
                           Order order, symbolic::Effort& effort)
    : graph_(&graph), first_(std::move(first)), order_(order), effort_(&effort) {
  try {
    for (const Expr& relation : relations) prepare(relation);
    for (const Expr& relation : relations) relate(reduced(converted(relation)));
  } catch (const TooLarge&) {
    basis_.clear();  // without relations every form is correct, though not shortest
  }
}

std::optional<Expr> QuotientRing::operator()(Expr f) {
  try {
    prepare(f);
    return expression(reduced(converted(f)));
  } catch (const TooLarge&) {
    return std::nullopt;
  }
}

/// Registers the atoms of f. Atoms to eliminate first get the first places.
void QuotientRing::prepare(Expr f) {
  std::vector<std::pair<int, Expr>> found;
  std::vector<Expr> angles;
  const bool sines_first = order_ == Order::sines_first;
  const std::vector<Expr> outputs{f};
  for (const auto id : graph_->reachable(outputs)) {
    const Expr node(*graph_, id);
    if (node.op() == Op::symbol) {
      const auto at = std::find(first_.begin(), first_.end(), node);
      found.emplace_back(at == first_.end() ? 1000 : 1 + static_cast<int>(at - first_.begin()), node);
    } else if (is_trigonometric(node.op())) {
      for (const auto& [multiple, base] : angles_of(node.child(0))) {
        found.emplace_back(sines_first ? 0 : 2000, sin(base));
        found.emplace_back(sines_first ? 2000 : 0, cos(base));
        angles.push_back(base);
      }
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const std::size_t before = atoms_.size();
  for (const auto& [rank, what] : found) atom(what);
  if (atoms_.size() == before) return;
  for (const Expr& base : angles) {
    if (atom_of_.at(sin(base).id()) < before) continue;
    Polynomial relation = variable(atom(sin(base)), 2);
    add_scaled(relation, variable(atom(cos(base)), 2), Rational(1), Monomial{});
    add_scaled(relation, constant(Rational(1)), Rational(-1), Monomial{});
    relate(std::move(relation));
  }
}

std::size_t QuotientRing::atom(Expr what) {
  const auto [at, fresh] = atom_of_.try_emplace(what.id(), atoms_.size());
  if (fresh) {
    if (atoms_.size() == most_atoms) {
      atom_of_.erase(at);
      throw TooLarge();
    }
    atoms_.push_back(what);
    return atoms_.size() - 1;
  }
  return at->second;
}

QuotientRing::Polynomial QuotientRing::constant(Rational value) const {
  Polynomial result;
  if (value != Rational(0)) result.emplace(Monomial{}, value);
  return result;
}

QuotientRing::Polynomial QuotientRing::variable(std::size_t atom, std::uint8_t exponent) const {
  Monomial monomial{};
  monomial[0] = monomial[atom + 1] = exponent;
  return {{monomial, Rational(1)}};
}

void QuotientRing::add_scaled(Polynomial& to, const Polynomial& what, Rational scale, const Monomial& by) const {
  effort_->left -= static_cast<std::int64_t>(what.size());
  if (effort_->is_spent()) throw TooLarge();
  for (const auto& [monomial, coefficient] : what) {
    const Rational term = fitting(symbolic::multiply(coefficient, scale));
    const auto [at, fresh] = to.try_emplace(times(monomial, by), term);
    if (fresh) continue;
    at->second = fitting(symbolic::add(at->second, term));
    if (at->second == Rational(0)) to.erase(at);
  }
  if (to.size() > most_terms) throw TooLarge();
}

QuotientRing::Polynomial QuotientRing::scaled(const Polynomial& a, Rational scale) const {
  Polynomial result;
  add_scaled(result, a, scale, Monomial{});
  return result;
}

QuotientRing::Polynomial QuotientRing::product(const Polynomial& a, const Polynomial& b) {
  if (a.size() * b.size() > most_products) throw TooLarge();
  Polynomial result;
  for (const auto& [monomial, coefficient] : a) add_scaled(result, b, coefficient, monomial);
  return reduced(std::move(result));
}

QuotientRing::Polynomial QuotientRing::power(const Polynomial& a, std::int64_t exponent) {
  if (exponent > largest_exponent) throw TooLarge();
  Polynomial result = constant(Rational(1));
  for (std::int64_t k = 0; k < exponent; ++k) result = product(result, a);
  return result;
}

QuotientRing::Polynomial QuotientRing::reduced(Polynomial a) const {
  Polynomial result;
  std::size_t steps = 0;
  while (!a.empty()) {
    const auto lead = a.begin();
    effort_->left -= 1 + static_cast<std::int64_t>(basis_.size() / 8);
    const auto rule = std::find_if(basis_.begin(), basis_.end(),
                                   [&](const Polynomial& g) { return divides(g.begin()->first, lead->first); });
    if (rule == basis_.end()) {
      result.insert(result.end(), a.extract(lead));
      continue;
    }
    if (++steps > most_products) throw TooLarge();
    const Rational scale = fitting(symbolic::multiply(lead->second, Rational(-1)));
    const Monomial by = quotient(lead->first, rule->begin()->first);
    add_scaled(a, *rule, scale, by);
  }
  return result;
}

/// Adds one relation to the basis by Buchberger's algorithm.
void QuotientRing::relate(Polynomial relation) {
  std::vector<Polynomial> queue{std::move(relation)};
  while (!queue.empty()) {
    const auto next = std::min_element(queue.begin(), queue.end(), [](const Polynomial& a, const Polynomial& b) {
      return std::pair(a.begin()->first, a.size()) < std::pair(b.begin()->first, b.size());
    });
    Polynomial r = reduced(std::move(*next));
    queue.erase(next);
    if (r.empty() || r.size() > longest_relation || basis_.size() == most_relations) continue;
    if (r.begin()->first[0] == 0) throw TooLarge();  // 1 = 0: the relations have no solution
    const Rational lead = r.begin()->second;
    for (auto& [monomial, coefficient] : r) coefficient = fitting(symbolic::divide(coefficient, lead));
    const Monomial top = r.begin()->first;
    for (auto g = basis_.begin(); g != basis_.end();) {
      const Monomial other = g->begin()->first;
      if (divides(top, other)) {
        queue.push_back(std::move(*g));
        g = basis_.erase(g);
        continue;
      }
      const Monomial shared = combined(top, other, [](std::uint8_t a, std::uint8_t b) { return std::min(a, b); });
      if (shared[0] != 0 && pairs_ < most_pairs) {
        ++pairs_;
        const Monomial all = combined(top, other, [](std::uint8_t a, std::uint8_t b) { return std::max(a, b); });
        Polynomial difference;
        add_scaled(difference, r, Rational(1), quotient(all, top));
        add_scaled(difference, *g, Rational(-1), quotient(all, other));
        if (!difference.empty()) queue.push_back(std::move(difference));
      }
      ++g;
    }
    basis_.push_back(std::move(r));
  }
}

/// Returns 1/a: the inverse of a monomial by the inverses of its atoms, the inverse of a sum by an atom of its own.
/// `written` is a in the form it has in the expression.
QuotientRing::Polynomial QuotientRing::inverse(const Polynomial& a, Expr written) {
  if (a.empty()) throw TooLarge();
  Monomial content = a.begin()->first;
  for (const auto& [monomial, coefficient] : a)
    content = combined(content, monomial, [](std::uint8_t x, std::uint8_t y) { return std::min(x, y); });
  if (a.size() > 1 && content[0] == 0) return inverse_of_primitive(a, written);
  Polynomial primitive;
  for (const auto& [monomial, coefficient] : a) primitive.emplace(quotient(monomial, content), coefficient);
  Polynomial result = a.size() == 1 ? constant(fitting(symbolic::divide(Rational(1), a.begin()->second)))
                                    : inverse_of_primitive(primitive, expression(primitive));
  for (std::size_t k = 0; k < most_atoms; ++k)
    if (content[k + 1] > 0)
      result = product(result, power(inverse_of_primitive(variable(k), atoms_.at(k)), content[k + 1]));
  return result;
}

/// Returns the atom 1/a, or a multiple of an existing atom if that inverts a multiple of a.
QuotientRing::Polynomial QuotientRing::inverse_of_primitive(const Polynomial& a, Expr written) {
  for (const auto& [known, place] : inverses_) {
    if (known.size() != a.size()) continue;
    const Rational scale = fitting(symbolic::divide(known.begin()->second, a.begin()->second));
    Polynomial difference = known;
    add_scaled(difference, a, fitting(symbolic::multiply(scale, Rational(-1))), Monomial{});
    if (!difference.empty()) continue;
    return scaled(variable(place), scale);
  }
  const Expr expanded = expression(a);
  const bool shorter = symbolic::printed_size(written) <= symbolic::printed_size(expanded);
  const std::size_t place = atom(pow(shorter ? written : expanded, -1));
  inverses_.emplace_back(a, place);
  Polynomial relation;
  Monomial by{};
  by[0] = by[place + 1] = 1;
  add_scaled(relation, a, Rational(1), by);
  add_scaled(relation, constant(Rational(1)), Rational(-1), Monomial{});
  relate(std::move(relation));
  return variable(place);
}

const QuotientRing::Polynomial& QuotientRing::converted(Expr f) {
  const std::vector<Expr> outputs{f};
  for (const auto id : graph_->reachable(outputs)) {
    if (known_.count(id) != 0) continue;
    known_.emplace(id, convert(Expr(*graph_, id)));
  }
  return known_.at(f.id());
}

/// Converts one node; its children are converted before it.
QuotientRing::Polynomial QuotientRing::convert(Expr f) {
  switch (f.op()) {
    case Op::rational:
      return constant(f.rational());
    case Op::let:
      return converted(f.child(0));
    case Op::add: {
      Polynomial total;
      for (std::size_t i = 0; i < f.arity(); ++i) add_scaled(total, converted(f.child(i)), Rational(1), Monomial{});
      return total;
    }
    case Op::mul: {
      Polynomial total = constant(Rational(1));
      for (std::size_t i = 0; i < f.arity(); ++i) total = product(total, converted(f.child(i)));
      return total;
    }
    case Op::pow: {
      if (f.child(1).op() != Op::rational) return variable(atom(f));
      const Rational exponent = f.child(1).rational();
      if (exponent.den() == 2) return root(f.child(0), exponent);
      if (!exponent.is_integer()) return variable(atom(f));
      const Polynomial base = converted(f.child(0));
      return exponent.num() >= 0 ? power(base, exponent.num()) : power(inverse(base, f.child(0)), -exponent.num());
    }
    case Op::exp:
      return exponential(f.child(0));
    case Op::sin:
      return sine(f.child(0), false);
    case Op::cos:
      return sine(f.child(0), true);
    case Op::tan:
      return product(sine(f.child(0), false), inverse(sine(f.child(0), true), cos(f.child(0))));
    default:
      return variable(atom(f));
  }
}

/// Returns the sin or cos of a sum of multiples, by the addition theorem.
QuotientRing::Polynomial QuotientRing::sine(Expr angle, bool cosine) {
  Polynomial sin_k = constant(Rational(0));
  Polynomial cos_k = constant(Rational(1));
  for (const auto& [multiple, base] : angles_of(angle)) {
    const std::int64_t times_over = multiple < 0 ? -multiple : multiple;
    if (times_over > largest_exponent) throw TooLarge();
    const Polynomial s = scaled(variable(atom(sin(base))), Rational(multiple < 0 ? -1 : 1));
    const Polynomial c = variable(atom(cos(base)));
    for (std::int64_t k = 0; k < times_over; ++k) {
      Polynomial next_sin = product(sin_k, c);
      add_scaled(next_sin, product(cos_k, s), Rational(1), Monomial{});
      Polynomial next_cos = product(cos_k, c);
      add_scaled(next_cos, product(sin_k, s), Rational(-1), Monomial{});
      sin_k = reduced(std::move(next_sin));
      cos_k = reduced(std::move(next_cos));
    }
  }
  return cosine ? cos_k : sin_k;
}

/// Returns the exp of a sum of multiples as powers of exp(base) and exp(-base), whose product is 1.
QuotientRing::Polynomial QuotientRing::exponential(Expr exponent) {
  Polynomial total = constant(Rational(1));
  for (const auto& [multiple, base] : angles_of(exponent)) {
    const Expr value = exp(multiple < 0 ? -base : base);
    const Expr other = exp(multiple < 0 ? base : -base);
    const bool fresh = atom_of_.count(value.id()) == 0;
    const std::size_t place = atom(value);
    if (const auto opposite = atom_of_.find(other.id()); fresh && opposite != atom_of_.end()) {
      Polynomial relation = product(variable(place), variable(opposite->second));
      add_scaled(relation, constant(Rational(1)), Rational(-1), Monomial{});
      relate(std::move(relation));
    }
    total = product(total, power(variable(place), multiple < 0 ? -multiple : multiple));
  }
  return total;
}

/// Returns base^(k/2) with an atom for the root.
QuotientRing::Polynomial QuotientRing::root(Expr base, const Rational& exponent) {
  const Expr symbol = sqrt(base);
  const bool fresh = atom_of_.count(symbol.id()) == 0;
  const std::size_t place = atom(symbol);
  if (fresh) {
    Polynomial relation = variable(place, 2);
    add_scaled(relation, converted(base), Rational(-1), Monomial{});
    relate(std::move(relation));
  }
  const std::int64_t times_over = exponent.num() < 0 ? -exponent.num() : exponent.num();
  return power(exponent.num() < 0 ? inverse(variable(place), symbol) : variable(place), times_over);
}

Expr QuotientRing::expression(const Polynomial& a) const {
  std::vector<Expr> terms;
  for (const auto& [monomial, coefficient] : a) {
    std::vector<Expr> factors{graph_->number(coefficient)};
    for (std::size_t k = 0; k < atoms_.size(); ++k)
      if (monomial[k + 1] > 0) factors.push_back(pow(atoms_[k], static_cast<std::int64_t>(monomial[k + 1])));
    terms.push_back(graph_->mul(factors));
  }
  return graph_->add(terms);
}

}  // namespace herglotz::mechanics
