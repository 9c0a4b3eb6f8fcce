#include "simplify/collect.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "simplify/polynomial.hpp"

namespace herglotz::symbolic {

namespace {

/// A shared power of an atom: terms contain at least this power, above or below the fraction line.
struct Shared {
  std::uint32_t atom;
  Rational exponent;
};

/// Returns true if a power contains the shared one: x^3 contains x^2, x^-3 contains x^-1.
bool contains(const Power& power, const Shared& factor) {
  const bool above = compare(factor.exponent, kZero) > 0;
  const int order = compare(power.exponent, factor.exponent);
  return power.atom == factor.atom && (above ? order >= 0 : order <= 0);
}

bool contains(const Monomial& m, const Shared& factor) {
  return std::any_of(m.begin(), m.end(), [&](const Power& power) { return contains(power, factor); });
}

/// Returns the factors that save most if they are written once, best first.
std::vector<Shared> most_shared(Ring& ring, const Polynomial& p, std::size_t most) {
  std::map<std::pair<std::uint32_t, std::pair<std::int64_t, std::int64_t>>, Shared> candidates;
  for (const auto& [m, c] : p) {
    for (const Power& power : m) {
      candidates.try_emplace({power.atom, {power.exponent.num(), power.exponent.den()}},
                             Shared{power.atom, power.exponent});
    }
  }
  ring.spend(candidates.size() * p.size() / 4);
  std::vector<std::pair<std::size_t, Shared>> savings;
  for (const auto& [key, factor] : candidates) {
    const auto terms = static_cast<std::size_t>(
        std::count_if(p.begin(), p.end(), [&](const auto& term) { return contains(term.first, factor); }));
    const std::size_t length = ring.size(factor.atom) + (factor.exponent == Rational(1) ? 1 : 3);
    if (terms > 1 && terms < p.size()) savings.emplace_back((terms - 1) * length, factor);
  }
  std::stable_sort(savings.begin(), savings.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Shared> factors;
  for (const auto& [saving, factor] : savings) {
    if (factors.size() < most) factors.push_back(factor);
  }
  return factors;
}

/// Returns the expression that reads more easily; a on a tie.
Expr shorter(Ring& ring, Expr a, Expr b) {
  return ring.measure().of(b).cost < ring.measure().of(a).cost ? b : a;
}

/// Returns number * common * rest in one product.
Expr joined(Ring& ring, const Rational& number, const Monomial& common, Expr rest) {
  std::vector<Expr> factors{ring.graph().number(number), rest};
  for (const Power& power : common) factors.push_back(ring.expression({power}, Rational(1), false));
  return ring.graph().mul(factors);
}

Expr collected(Ring& ring, const Polynomial& p, std::size_t width);

/// Writes terms that share a factor together; `width` factors are tried.
Expr grouped(Ring& ring, const Polynomial& p, std::size_t width) {
  Expr best = ring.expression(p, false);
  if (p.size() < 3) return best;
  for (const Shared& factor : most_shared(ring, p, width)) {
    Polynomial with;
    Polynomial without;
    for (const auto& term : p) (contains(term.first, factor) ? with : without).insert(term);
    const std::size_t narrower = std::max<std::size_t>(1, width - 1);
    const std::array<Expr, 2> parts{collected(ring, with, narrower), collected(ring, without, narrower)};
    best = shorter(ring, best, ring.graph().add(parts));
  }
  return best;
}

Expr collected(Ring& ring, const Polynomial& p, std::size_t width) {
  const Expr plain = ring.expression(p, false);
  if (p.size() < 2) return plain;
  ring.spend(4 * p.size());
  const Split split = ring.split(p);
  Expr best = shorter(ring, plain, grouped(ring, p, width));
  const bool whole = split.common.empty() && split.content == Rational(1);
  if (whole) return best;
  const Expr rest = shorter(ring, ring.expression(split.rest, false), grouped(ring, split.rest, width));
  best = shorter(ring, best, joined(ring, split.content, split.common, rest));
  // Common factors without the number: x*(a/2 + b) reads worse than a*x/2 + b*x only when it is longer.
  if (split.content != Rational(1)) {
    Polynomial numbered;
    for (const auto& [m, c] : split.rest) ring.add_term(numbered, m, exact(multiply(c, split.content)));
    best = shorter(ring, best, joined(ring, Rational(1), split.common, ring.expression(numbered, false)));
  }
  return best;
}

}  // namespace

Expr collected(Ring& ring, const Polynomial& p) {
  constexpr std::size_t kWidth = 4;
  return collected(ring, p, kWidth);
}

}  // namespace herglotz::symbolic
