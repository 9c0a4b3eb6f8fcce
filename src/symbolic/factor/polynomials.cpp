#include "factor/polynomials.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::symbolic::factor {
namespace {

Rational exact(const std::optional<Rational>& q) {
  if (!q) throw Exhausted{};
  return *q;
}

std::optional<std::int64_t> integer_root(std::int64_t n) {
  if (n < 0) return std::nullopt;
  const auto near = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(n))));
  constexpr std::int64_t largest = 3'037'000'499;  // its square fits
  for (std::int64_t k = std::max<std::int64_t>(0, near - 1); k <= std::min(near + 1, largest); ++k)
    if (k * k == n) return k;
  return std::nullopt;
}

std::optional<Rational> rational_root(const Rational& q) {
  const auto num = integer_root(q.num());
  const auto den = integer_root(q.den());
  if (!num || !den) return std::nullopt;
  return Rational::make(*num, *den);
}

bool divides(const Exponents& a, const Exponents& b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](auto x, auto y) { return x <= y; });
}

Exponents difference(const Exponents& a, const Exponents& b) {
  Exponents c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = static_cast<std::uint16_t>(a[i] - b[i]);
  return c;
}

Exponents added(const Exponents& a, const Exponents& b) {
  Exponents c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] + b[i] > 1000) throw Exhausted{};
    c[i] = static_cast<std::uint16_t>(a[i] + b[i]);
  }
  return c;
}

void add_term(Polynomial& p, const Exponents& m, const Rational& c) {
  const auto [at, fresh] = p.try_emplace(m, c);
  if (fresh) {
    if (c == Rational(0)) p.erase(at);
    return;
  }
  at->second = exact(add(at->second, c));
  if (at->second == Rational(0)) p.erase(at);
}

}  // namespace

void Polynomials::spend(std::size_t steps) {
  budget_ -= static_cast<std::int64_t>(steps) + 1;
  if (budget_ < 0) throw Exhausted{};
}

Polynomial Polynomials::constant(const Rational& q) const {
  Polynomial p;
  add_term(p, Exponents(variables_, 0), q);
  return p;
}

Polynomial Polynomials::variable(std::size_t i) const {
  Exponents m(variables_, 0);
  m[i] = 1;
  return {{m, Rational(1)}};
}

bool Polynomials::is_constant(const Polynomial& p) {
  return p.empty() || (p.size() == 1 && std::all_of(p.begin()->first.begin(), p.begin()->first.end(),
                                                    [](auto exponent) { return exponent == 0; }));
}

Polynomial Polynomials::sum(const Polynomial& a, const Polynomial& b, const Rational& scale) {
  spend(b.size());
  Polynomial c = a;
  for (const auto& [m, q] : b) add_term(c, m, exact(multiply(q, scale)));
  return c;
}

Polynomial Polynomials::product(const Polynomial& a, const Polynomial& b) {
  spend(a.size() * b.size());
  Polynomial c;
  for (const auto& [m, q] : a)
    for (const auto& [n, s] : b) add_term(c, added(m, n), exact(multiply(q, s)));
  return c;
}

Polynomial Polynomials::power(const Polynomial& a, std::int64_t n) {
  Polynomial result = constant(Rational(1));
  for (std::int64_t k = 0; k < n; ++k) result = product(result, a);
  return result;
}

std::optional<Polynomial> Polynomials::quotient(Polynomial a, const Polynomial& b) {
  if (b.empty()) return std::nullopt;
  const auto& [lead, coefficient] = *b.begin();
  Polynomial q;
  while (!a.empty()) {
    if (!divides(lead, a.begin()->first)) return std::nullopt;
    const Exponents m = difference(a.begin()->first, lead);
    const Rational c = exact(divide(a.begin()->second, coefficient));
    add_term(q, m, c);
    a = sum(a, product({{m, c}}, b), Rational(-1));
  }
  return q;
}

Polynomial Polynomials::monic(Polynomial p) {
  if (p.empty()) return p;
  const Rational lead = p.begin()->second;
  for (auto& [m, c] : p) c = exact(divide(c, lead));
  return p;
}

std::uint16_t Polynomials::degree(const Polynomial& p, std::size_t variable) {
  std::uint16_t most = 0;
  for (const auto& [m, c] : p) most = std::max(most, m[variable]);
  return most;
}

Polynomials::Univariate Polynomials::by_powers(const Polynomial& p, std::size_t variable) {
  spend(p.size());
  Univariate parts;
  for (const auto& [m, c] : p) {
    Exponents rest = m;
    rest[variable] = 0;
    parts[m[variable]].emplace(rest, c);
  }
  return parts;
}

Polynomial Polynomials::content(const Polynomial& p, std::size_t variable) {
  Polynomial common;
  for (const auto& [power, coefficient] : by_powers(p, variable)) {
    common = gcd(common, coefficient);
    if (is_constant(common)) break;
  }
  return common;
}

Polynomial Polynomials::primitive(const Polynomial& p, std::size_t variable) {
  return monic(*quotient(p, content(p, variable)));
}

Polynomial Polynomials::pseudo_remainder(Polynomial a, const Polynomial& b, std::size_t variable) {
  const std::uint16_t n = degree(b, variable);
  const Polynomial lead = by_powers(b, variable).begin()->second;
  while (!a.empty() && degree(a, variable) >= n) {
    const std::uint16_t d = degree(a, variable);
    Exponents shift(variables_, 0);
    shift[variable] = static_cast<std::uint16_t>(d - n);
    const Polynomial top = product(by_powers(a, variable).begin()->second, {{shift, Rational(1)}});
    a = sum(product(lead, a), product(top, b), Rational(-1));
  }
  return a;
}

Polynomial Polynomials::gcd(const Polynomial& a, const Polynomial& b) {
  if (a.empty()) return monic(b);
  if (b.empty()) return monic(a);
  std::size_t v = 0;
  while (v < variables_ && degree(a, v) == 0 && degree(b, v) == 0) ++v;
  if (v == variables_) return constant(Rational(1));
  if (degree(a, v) == 0) return gcd(a, content(b, v));
  if (degree(b, v) == 0) return gcd(content(a, v), b);
  Polynomial contents = gcd(content(a, v), content(b, v));
  Polynomial f = primitive(a, v);
  Polynomial g = primitive(b, v);
  if (degree(f, v) < degree(g, v)) std::swap(f, g);
  while (true) {
    Polynomial r = pseudo_remainder(f, g, v);
    if (r.empty()) return monic(product(contents, g));
    if (degree(r, v) == 0) return contents;
    f = std::move(g);
    g = primitive(r, v);
  }
}

Polynomial Polynomials::derivative(const Polynomial& p, std::size_t variable) {
  spend(p.size());
  Polynomial d;
  for (const auto& [m, c] : p) {
    if (m[variable] == 0) continue;
    Exponents lower = m;
    --lower[variable];
    add_term(d, lower, exact(multiply(c, Rational(m[variable]))));
  }
  return d;
}

std::optional<Polynomial> Polynomials::root(Polynomial p) {
  Polynomial s;
  while (!p.empty()) {
    const auto& [m, c] = *p.begin();
    if (s.empty()) {
      const auto q = rational_root(c);
      if (!q || std::any_of(m.begin(), m.end(), [](auto exponent) { return exponent % 2 != 0; })) return std::nullopt;
      Exponents half = m;
      for (auto& exponent : half) exponent = static_cast<std::uint16_t>(exponent / 2);
      s = {{half, *q}};
      p = sum(p, product(s, s), Rational(-1));
      continue;
    }
    const auto& [lead, coefficient] = *s.begin();
    if (!divides(lead, m)) return std::nullopt;
    const Polynomial next{{difference(m, lead), exact(divide(c, exact(multiply(Rational(2), coefficient))))}};
    if (next.begin()->first >= s.rbegin()->first) return std::nullopt;
    p = sum(p, product(next, sum(sum(s, s), next)), Rational(-1));
    s = sum(s, next);
  }
  return s;
}

bool Polynomials::split_content(const Polynomial& p, std::vector<Polynomial>& factors) {
  for (std::size_t v = 0; v < variables_; ++v) {
    if (degree(p, v) == 0) continue;
    const Polynomial common = content(p, v);
    if (is_constant(common)) continue;
    collect(common, factors);
    collect(*quotient(p, common), factors);
    return true;
  }
  return false;
}

bool Polynomials::split_repeated(const Polynomial& p, std::size_t variable, std::vector<Polynomial>& factors) {
  const Polynomial repeated = gcd(p, derivative(p, variable));
  if (is_constant(repeated)) return false;
  const Polynomial once = *quotient(p, repeated);
  const Polynomial both = gcd(once, repeated);
  collect(both, factors);
  collect(*quotient(once, both), factors);
  return true;
}

bool Polynomials::split_quadratic(const Polynomial& p, std::size_t variable, std::vector<Polynomial>& factors) {
  Univariate parts = by_powers(p, variable);
  const Polynomial discriminant = sum(product(parts[1], parts[1]), product(parts[2], parts[0]), Rational(-4));
  const auto s = root(discriminant);
  if (!s) return false;
  const Polynomial slope = sum(product(sum(parts[2], parts[2]), this->variable(variable)), parts[1]);
  for (const Rational sign : {Rational(1), Rational(-1)}) collect(primitive(sum(slope, *s, sign), variable), factors);
  return true;
}

/// Returns p divided by its factors that are variables, and appends these variables to `factors`.
Polynomial Polynomials::without_variables(const Polynomial& p, std::vector<Polynomial>& factors) {
  Exponents least = p.begin()->first;
  for (const auto& [m, c] : p)
    for (std::size_t v = 0; v < variables_; ++v) least[v] = std::min(least[v], m[v]);
  for (std::size_t v = 0; v < variables_; ++v)
    if (least[v] > 0) factors.push_back(variable(v));
  Polynomial rest;
  for (const auto& [m, c] : p) rest.emplace(difference(m, least), c);
  return rest;
}

void Polynomials::collect(const Polynomial& p, std::vector<Polynomial>& factors) {
  if (is_constant(p)) return;
  const Polynomial normal = without_variables(monic(p), factors);
  if (is_constant(normal)) return;
  std::size_t lowest = variables_;
  for (std::size_t v = 0; v < variables_; ++v) {
    const auto d = degree(normal, v);
    if (d > 0 && (lowest == variables_ || d < degree(normal, lowest))) lowest = v;
  }
  if (split_content(normal, factors)) return;
  if (degree(normal, lowest) > 1) {
    if (split_repeated(normal, lowest, factors)) return;
    for (std::size_t v = 0; v < variables_; ++v)
      if (degree(normal, v) == 2 && split_quadratic(normal, v, factors)) return;
  }
  factors.push_back(normal);
}

std::vector<Polynomial> Polynomials::distinct_factors(const Polynomial& p) {
  std::vector<Polynomial> found;
  collect(p, found);
  std::vector<Polynomial> distinct;
  for (auto& factor : found)
    if (std::find(distinct.begin(), distinct.end(), factor) == distinct.end()) distinct.push_back(std::move(factor));
  return distinct;
}

}  // namespace herglotz::symbolic::factor
