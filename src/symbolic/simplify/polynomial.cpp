#include "simplify/polynomial.hpp"

#include <algorithm>
#include <numeric>

namespace herglotz::symbolic {

Rational exact(const std::optional<Rational>& q) {
  if (!q) throw Exhausted{};
  return *q;
}

Rational negated(const Rational& q) {
  return exact(multiply(q, Rational(-1)));
}

bool MonomialOrder::operator()(const Monomial& a, const Monomial& b) const {
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->atom < j->atom)) return compare(i->exponent, kZero) < 0;
    if (i == a.end() || j->atom < i->atom) return compare(kZero, j->exponent) < 0;
    if (const int exponents = compare(i->exponent, j->exponent); exponents != 0) return exponents < 0;
    ++i;
    ++j;
  }
  return false;
}

void Ring::spend(std::size_t steps) {
  budget_ -= static_cast<std::int64_t>(steps);
  if (budget_ < 0) throw Exhausted{};
}

std::uint32_t Ring::atom(Expr canonical, Expr shown) {
  const auto [place, fresh] = index_.try_emplace(canonical.id(), static_cast<std::uint32_t>(canonical_.size()));
  if (fresh) {
    canonical_.push_back(canonical);
    shown_.push_back(shown);
    size_.push_back(measure_.of(shown).size);
  }
  return place->second;
}

Expr Ring::better(Expr a, Expr b) {
  const Reading now = measure_.of(a);
  const Reading then = measure_.of(b);
  return then.cost < now.cost && then.size <= now.size ? b : a;
}

const Polynomial* Ring::definition(std::uint32_t atom) const {
  const auto found = value_.find(atom);
  return found == value_.end() ? nullptr : &found->second;
}

Polynomial Ring::number(const Rational& q) {
  Polynomial p;
  add_term(p, {}, q);
  return p;
}

Polynomial Ring::power_of(std::uint32_t atom, const Rational& exponent) {
  return {{{{atom, exponent}}, kOne}};
}

void Ring::add_term(Polynomial& p, const Monomial& m, const Rational& coefficient) {
  if (coefficient == kZero) return;
  const auto [place, fresh] = p.try_emplace(m, coefficient);
  if (fresh) {
    if (p.size() > most_terms_) throw Exhausted{};
    return;
  }
  place->second = exact(symbolic::add(place->second, coefficient));
  if (place->second == kZero) p.erase(place);
}

Polynomial Ring::add(const Polynomial& a, const Polynomial& b, const Rational& scale) {
  spend(b.size());
  Polynomial total = a;
  for (const auto& [m, c] : b) add_term(total, m, exact(symbolic::multiply(c, scale)));
  return total;
}

std::pair<Monomial, Rational> Ring::product(const Monomial& a, const Monomial& b) {
  Monomial m;
  m.reserve(a.size() + b.size());
  Rational number = kOne;
  std::size_t exponentials = 0;
  const auto put = [&](const Power& power) {
    const Expr base = canonical_[power.atom];
    if (power.exponent == kZero) return;
    if (base.op() == Op::rational && power.exponent.is_integer()) {
      number = exact(symbolic::multiply(number, exact(symbolic::power(base.rational(), power.exponent.num()))));
      return;
    }
    if (is_exponential(power.atom)) exponentials += power.exponent == kOne ? 1 : 2;
    m.push_back(power);
  };
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->atom < j->atom)) {
      put(*i++);
    } else if (i == a.end() || j->atom < i->atom) {
      put(*j++);
    } else {
      put({i->atom, exact(symbolic::add(i->exponent, j->exponent))});
      ++i;
      ++j;
    }
  }
  if (exponentials > 1) merge_exponentials(m);
  return {std::move(m), number};
}

/// Merges exponentials by exp(u)^a exp(v)^b = exp(a u + b v).
void Ring::merge_exponentials(Monomial& m) {
  Polynomial argument;
  for (const Power& power : m) {
    const Polynomial* value = is_exponential(power.atom) ? definition(power.atom) : nullptr;
    if (value != nullptr) argument = add(argument, *value, power.exponent);
  }
  std::erase_if(m, [&](const Power& power) { return is_exponential(power.atom) && definition(power.atom) != nullptr; });
  if (argument.empty()) return;
  const Expr merged = exp(expression(argument, true));
  const std::uint32_t index = atom(merged, exp(expression(argument, false)));
  define(index, std::move(argument));
  const auto place = std::lower_bound(m.begin(), m.end(), index,
                                      [](const Power& power, std::uint32_t value) { return power.atom < value; });
  m.insert(place, {index, kOne});
}

Polynomial Ring::multiply(const Polynomial& a, const Polynomial& b) {
  spend(a.size() * b.size());
  Polynomial total;
  for (const auto& [m, c] : a) {
    for (const auto& [n, d] : b) {
      const auto [merged, number] = product(m, n);
      add_term(total, merged, exact(symbolic::multiply(number, exact(symbolic::multiply(c, d)))));
    }
  }
  return total;
}

Polynomial Ring::power(const Polynomial& a, std::int64_t n) {
  Polynomial result = number(kOne);
  for (std::int64_t i = 0; i < n; ++i) result = multiply(result, a);
  return result;
}

std::optional<Polynomial> Ring::quotient(Polynomial a, const Polynomial& b) {
  if (b.empty()) return std::nullopt;
  const auto& [lead, scale] = *b.rbegin();
  Monomial inverse = lead;
  for (Power& power : inverse) power.exponent = negated(power.exponent);
  Polynomial result;
  const std::size_t most_steps = 2 * a.size() + 16;
  for (std::size_t step = 0; !a.empty(); ++step) {
    if (step == most_steps) return std::nullopt;
    const auto [m, number] = product(a.rbegin()->first, inverse);
    const Rational c = exact(divide(exact(symbolic::multiply(a.rbegin()->second, number)), scale));
    const std::size_t terms = a.size();
    const Monomial before = a.rbegin()->first;
    const Polynomial part{{m, c}};
    a = add(a, multiply(part, b), Rational(-1));
    const bool falling = a.empty() || MonomialOrder{}(a.rbegin()->first, before);
    if (!falling || a.size() > terms + b.size()) return std::nullopt;
    add_term(result, m, c);
  }
  return result;
}

Split Ring::split(const Polynomial& p) {
  Split split;
  if (p.empty()) return split;
  std::int64_t above = 0;
  std::int64_t below = 1;
  for (const auto& [m, c] : p) {
    above = std::gcd(above, c.num());
    const auto common = exact(symbolic::multiply(Rational(below / std::gcd(below, c.den())), Rational(c.den())));
    below = common.num();
  }
  const bool minus = std::all_of(p.begin(), p.end(), [](const auto& term) { return compare(term.second, kZero) < 0; });
  split.content = exact(Rational::make(minus ? -above : above, below));
  split.common = p.begin()->first;
  const auto exponent_in = [](const Monomial& m, std::uint32_t atom) {
    const auto at = std::find_if(m.begin(), m.end(), [&](const Power& power) { return power.atom == atom; });
    return at == m.end() ? kZero : at->exponent;
  };
  // An atom that occurs only with negative powers in some terms is a common factor too: 1/x + 1 = (1 + x)/x.
  for (const auto& [m, c] : p) {
    for (const Power& power : m) {
      const bool known = exponent_in(split.common, power.atom) != kZero;
      if (!known && compare(power.exponent, kZero) < 0) {
        split.common.push_back({power.atom, power.exponent});
      }
    }
  }
  for (const auto& [m, c] : p) {
    for (Power& power : split.common) {
      const Rational here = exponent_in(m, power.atom);
      if (compare(here, power.exponent) < 0) power.exponent = here;
    }
  }
  std::erase_if(split.common, [](const Power& power) { return power.exponent == kZero; });
  std::sort(split.common.begin(), split.common.end(), [](const Power& a, const Power& b) { return a.atom < b.atom; });
  Monomial inverse = split.common;
  for (Power& power : inverse) power.exponent = negated(power.exponent);
  spend(p.size());
  for (const auto& [m, c] : p) {
    const auto [reduced, number] = product(m, inverse);
    add_term(split.rest, reduced, exact(divide(exact(symbolic::multiply(c, number)), split.content)));
  }
  return split;
}

Expr Ring::expression(const Monomial& m, const Rational& coefficient, bool canonical) const {
  std::vector<Expr> factors{graph_.number(coefficient)};
  for (const Power& power : m) {
    const Expr base = canonical ? canonical_[power.atom] : shown_[power.atom];
    factors.push_back(power.exponent == kOne ? base : graph_.pow(base, graph_.number(power.exponent)));
  }
  return factors.size() == 1 ? factors.front() : graph_.mul(factors);
}

Expr Ring::expression(const Polynomial& p, bool canonical) const {
  std::vector<Expr> terms;
  for (const auto& [m, c] : p) terms.push_back(expression(m, c, canonical));
  if (terms.empty()) return graph_.number(std::int64_t{0});
  return terms.size() == 1 ? terms.front() : graph_.add(terms);
}

std::size_t Ring::size(const Polynomial& p) const {
  std::size_t total = 0;
  for (const auto& [m, c] : p) {
    std::size_t term = (c.num() == 1 || c.num() == -1 ? 0 : 2) + (c.is_integer() ? 0 : 2);
    for (const Power& power : m) term += size_[power.atom] + (power.exponent == kOne ? 1 : 3);
    total += std::max<std::size_t>(term, 2);
  }
  return total;
}

}  // namespace herglotz::symbolic
