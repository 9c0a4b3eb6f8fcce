#include "collect.hpp"

#include <array>
#include <map>

#include "printed_nodes.hpp"

namespace herglotz::symbolic {

namespace {

const Rational kZero{0};

/// The factor that most terms share: an atom, and whether it stands above or below the fraction line.
std::optional<std::pair<std::uint32_t, bool>> most_shared(const Ring& ring, const Polynomial& p) {
  std::map<std::pair<std::uint32_t, bool>, std::size_t> count;
  for (const auto& [m, c] : p) {
    for (const Power& power : m) ++count[{power.atom, compare(power.exponent, kZero) > 0}];
  }
  std::optional<std::pair<std::uint32_t, bool>> best;
  std::size_t saved = 0;
  for (const auto& [factor, terms] : count) {
    const std::size_t saving = terms < 2 ? 0 : (terms - 1) * (ring.size(factor.first) + 1);
    if (saving > saved) {
      saved = saving;
      best = factor;
    }
  }
  return best;
}

bool contains(const Monomial& m, const std::pair<std::uint32_t, bool>& factor) {
  for (const Power& power : m) {
    if (power.atom == factor.first) return (compare(power.exponent, kZero) > 0) == factor.second;
  }
  return false;
}

Expr grouped(Ring& ring, const Polynomial& p) {
  const auto factor = most_shared(ring, p);
  if (!factor || p.size() < 3) return ring.expression(p, false);
  Polynomial with;
  Polynomial without;
  for (const auto& term : p) (contains(term.first, *factor) ? with : without).insert(term);
  if (without.empty()) return ring.expression(p, false);
  const std::array<Expr, 2> parts{collected(ring, with), collected(ring, without)};
  return ring.graph().add(parts);
}

/// number * common * rest in one product.
Expr joined(Ring& ring, const Rational& number, const Monomial& common, Expr rest) {
  std::vector<Expr> factors{ring.graph().number(number), rest};
  for (const Power& power : common) factors.push_back(ring.expression({power}, Rational(1), false));
  return ring.graph().mul(factors);
}

Expr shorter(Expr a, Expr b) {
  return reading_cost(b) < reading_cost(a) ? b : a;
}

}  // namespace

Expr collected(Ring& ring, const Polynomial& p) {
  const Expr plain = ring.expression(p, false);
  if (p.size() < 2) return plain;
  ring.spend(4 * p.size());
  const Split split = ring.split(p);
  Expr best = shorter(plain, grouped(ring, p));
  const bool whole = split.common.empty() && split.content == Rational(1);
  if (whole) return best;
  const Expr rest = shorter(ring.expression(split.rest, false), grouped(ring, split.rest));
  best = shorter(best, joined(ring, split.content, split.common, rest));
  // Common factors without the number: x*(a/2 + b) reads worse than a*x/2 + b*x only when it is longer.
  if (split.content != Rational(1)) {
    Polynomial numbered;
    for (const auto& [m, c] : split.rest) ring.add_term(numbered, m, exact(multiply(c, split.content)));
    best = shorter(best, joined(ring, Rational(1), split.common, ring.expression(numbered, false)));
  }
  return best;
}

}  // namespace herglotz::symbolic
