#include "collect.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace herglotz::symbolic {

namespace {

const Rational kZero{0};

/// An atom, and whether it stands above or below the fraction line.
using Shared = std::pair<std::uint32_t, bool>;

/// The factors that save most when they are written once, best first.
std::vector<Shared> most_shared(const Ring& ring, const Polynomial& p, std::size_t most) {
  std::map<Shared, std::size_t> count;
  for (const auto& [m, c] : p) {
    for (const Power& power : m) ++count[{power.atom, compare(power.exponent, kZero) > 0}];
  }
  std::vector<std::pair<std::size_t, Shared>> savings;
  for (const auto& [factor, terms] : count) {
    if (terms > 1 && terms < p.size()) savings.emplace_back((terms - 1) * (ring.size(factor.first) + 1), factor);
  }
  std::stable_sort(savings.begin(), savings.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Shared> factors;
  for (const auto& [saving, factor] : savings) {
    if (factors.size() < most) factors.push_back(factor);
  }
  return factors;
}

bool contains(const Monomial& m, const Shared& factor) {
  for (const Power& power : m) {
    if (power.atom == factor.first) return (compare(power.exponent, kZero) > 0) == factor.second;
  }
  return false;
}

/// The one that reads more easily; a on a tie.
Expr shorter(Ring& ring, Expr a, Expr b) {
  return ring.measure().of(b).cost < ring.measure().of(a).cost ? b : a;
}

/// number * common * rest in one product.
Expr joined(Ring& ring, const Rational& number, const Monomial& common, Expr rest) {
  std::vector<Expr> factors{ring.graph().number(number), rest};
  for (const Power& power : common) factors.push_back(ring.expression({power}, Rational(1), false));
  return ring.graph().mul(factors);
}

Expr collected(Ring& ring, const Polynomial& p, std::size_t width);

/// Terms that share a factor are written together; `width` factors are tried.
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
  constexpr std::size_t kWidth = 3;
  return collected(ring, p, kWidth);
}

}  // namespace herglotz::symbolic
