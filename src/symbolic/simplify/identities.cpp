#include "simplify/identities.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace herglotz::symbolic {

namespace {

bool is_odd(Op op) {
  return op == Op::sin || op == Op::tan || op == Op::asin || op == Op::atan || op == Op::sinh || op == Op::tanh ||
         op == Op::sign;
}
bool is_even(Op op) {
  return op == Op::cos || op == Op::cosh || op == Op::abs;
}

Rational exponent_of(const Monomial& m, std::uint32_t atom) {
  const auto at = std::find_if(m.begin(), m.end(), [&](const Power& power) { return power.atom == atom; });
  return at == m.end() ? kZero : at->exponent;
}

bool has(const Monomial& m, std::uint32_t atom, std::int64_t least = 1) {
  const Rational exponent = exponent_of(m, atom);
  return exponent.is_integer() && exponent.num() >= least;
}

/// Returns m times atom^by.
Monomial shifted(Ring& ring, const Monomial& m, std::uint32_t atom, std::int64_t by) {
  return ring.product(m, {{atom, Rational(by)}}).first;
}

/// A pair of functions f, g of one argument with f^2 = constant + scale g^2.
struct Pair {
  std::uint32_t f;
  std::uint32_t g;
  std::int64_t constant;
  std::int64_t scale;
};

Polynomial replace_squares(Ring& ring, const Polynomial& p, const Pair& pair) {
  Polynomial square = ring.number(Rational(pair.constant));
  square = ring.add(square, ring.power_of(pair.g, Rational(2)), Rational(pair.scale));
  Polynomial total;
  for (const auto& [m, c] : p) {
    if (!has(m, pair.f, 2)) {
      ring.add_term(total, m, c);
      continue;
    }
    const std::int64_t squares = std::min<std::int64_t>(exponent_of(m, pair.f).num() / 2, 8);
    const Polynomial term{{shifted(ring, m, pair.f, -2 * squares), c}};
    total = ring.add(total, ring.multiply(term, ring.power(square, squares)));
  }
  return total;
}

bool is_pythagorean(Op op) {
  return op == Op::sin || op == Op::cos || op == Op::sinh || op == Op::cosh;
}

Op partner(Op op) {
  switch (op) {
    case Op::sin:
      return Op::cos;
    case Op::cos:
      return Op::sin;
    case Op::sinh:
      return Op::cosh;
    default:
      return Op::sinh;
  }
}

std::set<std::uint32_t> atoms_of(const Polynomial& p) {
  std::set<std::uint32_t> atoms;
  for (const auto& [m, c] : p) {
    for (const Power& power : m) atoms.insert(power.atom);
  }
  return atoms;
}

/// Returns the sin and cos atoms of the angles in p, as (sin, cos).
std::vector<std::pair<std::uint32_t, std::uint32_t>> angles(Ring& ring, const Polynomial& p) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  const std::set<std::uint32_t> atoms = atoms_of(p);
  for (const std::uint32_t atom : atoms) {
    if (ring.canonical(atom).op() != Op::sin || ring.definition(atom) == nullptr) continue;
    const Polynomial argument = *ring.definition(atom);
    const std::uint32_t cosine = function_atom(ring, Op::cos, argument).first;
    if (atoms.contains(cosine)) pairs.emplace_back(atom, cosine);
  }
  return pairs;
}

/// A replacement of c m u v + s c m w x by c m * merged, in which merged is a signed atom.
struct Merge {
  std::array<std::uint32_t, 2> first;
  std::array<std::uint32_t, 2> second;
  std::int64_t sign;
  std::pair<std::uint32_t, bool> merged;
};

void apply(Ring& ring, Polynomial& p, const Merge& merge) {
  const std::vector<std::pair<Monomial, Rational>> terms(p.begin(), p.end());
  for (const auto& [m, c] : terms) {
    ring.spend(1);
    const bool same = merge.first[0] == merge.first[1];
    const bool fits = same ? has(m, merge.first[0], 2) : has(m, merge.first[0]) && has(m, merge.first[1]);
    if (!fits || !p.contains(m)) continue;
    const Monomial rest = shifted(ring, shifted(ring, m, merge.first[0], -1), merge.first[1], -1);
    const Monomial other = shifted(ring, shifted(ring, rest, merge.second[0], 1), merge.second[1], 1);
    const auto found = p.find(other);
    if (found == p.end() || found->second != exact(multiply(c, Rational(merge.sign)))) continue;
    p.erase(found);
    p.erase(m);
    const auto [merged, number] = ring.product(rest, {{merge.merged.first, kOne}});
    ring.add_term(p, merged, exact(multiply(number, merge.merged.second ? negated(c) : c)));
  }
}

}  // namespace

std::pair<std::uint32_t, bool> function_atom(Ring& ring, Op op, const Polynomial& argument, std::optional<Expr> shown) {
  const bool symmetric = is_odd(op) || is_even(op);
  const bool flip = symmetric && !argument.empty() && compare(argument.rbegin()->second, kZero) < 0;
  const Polynomial kept = flip ? ring.add({}, argument, Rational(-1)) : argument;
  const auto call = [&](bool canonical) {
    const std::array<Expr, 1> arguments{ring.expression(kept, canonical)};
    return ring.graph().function(op, arguments);
  };
  const std::uint32_t atom = ring.atom(call(true), shown && !flip ? *shown : call(false));
  ring.define(atom, kept);
  return {atom, flip && is_odd(op)};
}

Polynomial with_pythagoras(Ring& ring, const Polynomial& p) {
  Polynomial best = p;
  for (const std::uint32_t atom : atoms_of(p)) {
    const Op op = ring.canonical(atom).op();
    if (!is_pythagorean(op) || ring.definition(atom) == nullptr) continue;
    const bool squared =
        std::any_of(best.begin(), best.end(), [&](const auto& term) { return has(term.first, atom, 2); });
    if (!squared) continue;
    const Polynomial argument = *ring.definition(atom);
    const std::uint32_t other = function_atom(ring, partner(op), argument).first;
    const bool circular = op == Op::sin || op == Op::cos;
    const Pair pair{atom, other, op == Op::sinh ? -1 : 1, circular ? -1 : 1};
    Polynomial replaced = replace_squares(ring, best, pair);
    if (ring.size(replaced) < ring.size(best)) best = std::move(replaced);
  }
  return best;
}

Polynomial with_sums_of_angles(Ring& ring, const Polynomial& p) {
  Polynomial result = p;
  const auto pairs = angles(ring, p);
  constexpr std::size_t kMostAngles = 12;
  const std::size_t n = std::min(pairs.size(), kMostAngles);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      const auto [sa, ca] = pairs[i];
      const auto [sb, cb] = pairs[j];
      const Polynomial a = *ring.definition(sa);
      const Polynomial b = *ring.definition(sb);
      const Polynomial sum = ring.add(a, b);
      apply(ring, result, {{ca, cb}, {sa, sb}, -1, function_atom(ring, Op::cos, sum)});
      if (i == j) continue;
      const Polynomial difference = ring.add(a, b, Rational(-1));
      apply(ring, result, {{ca, cb}, {sa, sb}, 1, function_atom(ring, Op::cos, difference)});
      apply(ring, result, {{sa, cb}, {ca, sb}, 1, function_atom(ring, Op::sin, sum)});
      apply(ring, result, {{sa, cb}, {ca, sb}, -1, function_atom(ring, Op::sin, difference)});
    }
  }
  return result;
}

Polynomial with_double_angles(Ring& ring, const Polynomial& p) {
  Polynomial result = p;
  for (const auto& [s, c] : angles(ring, p)) {
    const Polynomial argument = *ring.definition(s);
    const Polynomial twice = ring.add(argument, argument);
    Polynomial replaced;
    for (const auto& [m, k] : result) {
      if (!has(m, s) || !has(m, c)) {
        ring.add_term(replaced, m, k);
        continue;
      }
      const auto [atom, minus] = function_atom(ring, Op::sin, twice);
      const Monomial rest = shifted(ring, shifted(ring, m, s, -1), c, -1);
      const Rational half = exact(Rational::make(minus ? -1 : 1, 2));
      ring.add_term(replaced, shifted(ring, rest, atom, 1), exact(multiply(k, half)));
    }
    result = std::move(replaced);
  }
  return result;
}

Polynomial with_cancelled_denominators(Ring& ring, const Polynomial& p) {
  Polynomial result = p;
  for (const std::uint32_t atom : atoms_of(p)) {
    const Polynomial* value = ring.canonical(atom).op() == Op::add ? ring.definition(atom) : nullptr;
    if (value == nullptr) continue;
    const Polynomial divisor = *value;
    std::int64_t lowest = 0;
    for (const auto& [m, c] : result) {
      const Rational exponent = exponent_of(m, atom);
      if (!exponent.is_integer()) return p;
      lowest = std::min(lowest, exponent.num());
    }
    // This is the numerator over the common power of the sum, with its positive powers multiplied out.
    Polynomial numerator;
    for (const auto& [m, c] : result) {
      const std::int64_t surplus = exponent_of(m, atom).num() - lowest;
      if (surplus > 8) throw Exhausted{};
      const Polynomial term{{shifted(ring, m, atom, -exponent_of(m, atom).num()), c}};
      numerator = ring.add(numerator, ring.multiply(term, ring.power(divisor, surplus)));
    }
    numerator = with_pythagoras(ring, numerator);
    while (lowest < 0) {
      const auto quotient = ring.quotient(numerator, divisor);
      if (!quotient) break;
      numerator = *quotient;
      ++lowest;
    }
    if (lowest < 0) numerator = ring.multiply(numerator, ring.power_of(atom, Rational(lowest)));
    result = std::move(numerator);
  }
  return result;
}

}  // namespace herglotz::symbolic
