// Sections of algebroids, their lifts and the exterior derivative. [GG08, Sec. 2; ASC25, Secs. 2, 5].

#include "herglotz/geometry/sections.hpp"

#include <gtest/gtest.h>

#include "geometry/contact_samples.hpp"
#include "geometry/every_algebroid.hpp"
#include "herglotz/error.hpp"
#include "herglotz/geometry/connection.hpp"

namespace {

using namespace herglotz::geometry;
namespace symbolic = herglotz::symbolic;
using samples::RandomPoints;

constexpr double rounding = 1e-10;

/// A section whose components depend on every base coordinate.
Section section_of(const Algebroid& e, int seed) {
  Section s;
  for (std::size_t a = 0; a < e.r(); ++a) {
    Expr component = e.graph->number(static_cast<double>(seed) / 3 + static_cast<double>(a));
    for (std::size_t i = 0; i < e.n(); ++i)
      component += symbolic::sin(e.x[i] * e.graph->number(static_cast<double>(a + i + 1) / 4)) * (seed + 1.0);
    s.push_back(component);
  }
  return s;
}

Expr function_of(const Algebroid& e) {
  Expr f = e.graph->number(std::int64_t{2});
  for (const Expr& x : e.x) f = f * (x + 1.0);
  return f;
}

double distance(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  std::vector<Expr> difference;
  for (std::size_t k = 0; k < a.size(); ++k) difference.push_back(a[k] - b[k]);
  return RandomPoints(7).largest(difference);
}

Section times(Expr f, Section s) {
  for (Expr& component : s) component = f * component;
  return s;
}

Section plus(Section a, const Section& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
  return a;
}

bool is_lie(const Algebroid& e) {
  return !e.promises.empty();
}

class Sections : public testing::TestWithParam<samples::Kind> {};

TEST_P(Sections, BracketIsADerivationAlongBothAnchors) {
  // [GG08, Thm 1]: [s, f u] = f [s, u] + rho(s)(f) u and [f s, u] = f [s, u] - sigma(u)(f) s.
  const Algebroid& e = GetParam().algebroid;
  const Section s = section_of(e, 1);
  const Section u = section_of(e, 2);
  const Expr f = function_of(e);
  const Expr zero = e.graph->number(std::int64_t{0});
  const auto along = [&](const Matrix& anchor, const Section& v) {
    return e.n() == 0 ? zero : apply({e.x, symbolic::multiply(anchor, v)}, f);
  };
  const Section bracket = times(f, section_bracket(e, s, u));
  EXPECT_LT(distance(section_bracket(e, s, times(f, u)), plus(bracket, times(along(e.rho, s), u))), rounding);
  EXPECT_LT(distance(section_bracket(e, times(f, s), u), plus(bracket, times(-along(e.sigma, u), s))), rounding);
}

TEST_P(Sections, LiftsAreABracketHomomorphismOnLieAlgebroids) {
  // [s^C, u^C] = [s, u]^C, [s^C, u^V] = [s, u]^V, [s^V, u^V] = 0. [GG08, Sec. 2; ASC25, Eq. 22].
  const Algebroid& e = GetParam().algebroid;
  const Section s = section_of(e, 1);
  const Section u = section_of(e, 2);
  const Section bracket = section_bracket(e, s, u);
  const VectorField C = complete_lift(e, s);
  EXPECT_LT(RandomPoints(3).largest(lie_bracket(vertical_lift(e, s), vertical_lift(e, u)).components), rounding);
  if (!is_lie(e)) return;
  EXPECT_LT(distance(lie_bracket(C, vertical_lift(e, u)).components, vertical_lift(e, bracket).components), rounding);
  EXPECT_LT(distance(lie_bracket(C, complete_lift(e, u)).components, complete_lift(e, bracket).components), rounding);
}

TEST_P(Sections, ExteriorDerivativeIsThatOfTheBracket) {
  // (d alpha)(s, u) = rho(s)(alpha(u)) - sigma(u)(alpha(s)) - alpha([s, u]). [ASC25, Sec. 2].
  const Algebroid& e = GetParam().algebroid;
  const Section s = section_of(e, 1);
  const Section u = section_of(e, 2);
  const Section alpha = section_of(e, 3);
  const Expr zero = e.graph->number(std::int64_t{0});
  const auto paired = [&](const Section& one, const Section& other) {
    Expr sum = zero;
    for (std::size_t a = 0; a < one.size(); ++a) sum += one[a] * other[a];
    return sum;
  };
  const auto along = [&](const Matrix& anchor, const Section& v, Expr f) {
    return e.n() == 0 ? zero : apply({e.x, symbolic::multiply(anchor, v)}, f);
  };
  const Matrix d = exterior_derivative(e, alpha);
  const Expr expected =
      along(e.rho, s, paired(alpha, u)) - along(e.sigma, u, paired(alpha, s)) - paired(alpha, section_bracket(e, s, u));
  EXPECT_LT(distance({paired(symbolic::multiply(symbolic::transpose(d), s), u)}, {expected}), rounding);
  EXPECT_LT(distance({paired(exterior_derivative(e, function_of(e)), s)}, {along(e.rho, s, function_of(e))}), rounding);
  if (is_lie(e)) {
    EXPECT_LT(RandomPoints(5).largest(exterior_derivative(e, exterior_derivative(e, function_of(e))).entries),
              rounding);
  }
}

TEST_P(Sections, CurvatureIsThatOfTheConnection) {
  // nabla_i nabla_j s - nabla_j nabla_i s = R(i, j) s, and nabla-bar_s u = nabla_sigma(u) s + [s, u]. [ASC25, Sec. 5].
  const Algebroid& e = GetParam().algebroid;
  const Expr zero = e.graph->number(std::int64_t{0});
  const std::size_t r = e.r();
  Connection gamma(e.n(), r, zero);
  for (std::size_t b = 0; b < r; ++b)
    for (std::size_t i = 0; i < e.n(); ++i)
      for (std::size_t a = 0; a < r; ++a)
        gamma(b, i, a) = symbolic::sin(e.x[(i + b) % e.n()]) * static_cast<double>(a + 1) + static_cast<double>(b);
  const Section s = section_of(e, 1);
  const Section u = section_of(e, 2);
  const auto velocity = symbolic::multiply(e.sigma, u);
  EXPECT_LT(distance(nabla_bar(e, gamma, s, u), plus(nabla(e, gamma, velocity, s), section_bracket(e, s, u))),
            rounding);
  if (e.n() < 2) return;
  const auto R = curvature(gamma, e.x, r);
  const auto direction = [&](std::size_t i) { return coordinate_field(e.x, i).components; };
  const auto twice = [&](std::size_t i, std::size_t j) {
    return nabla(e, gamma, direction(i), nabla(e, gamma, direction(j), s));
  };
  Section expected = twice(1, 0);
  for (std::size_t b = 0; b < r; ++b)
    for (std::size_t a = 0; a < r; ++a) expected[b] += R[((b * r + a) * e.n() + 0) * e.n() + 1] * s[a];
  EXPECT_LT(distance(twice(0, 1), expected), rounding * 1e2);
}

INSTANTIATE_TEST_SUITE_P(EveryAlgebroid, Sections, testing::ValuesIn(samples::every_algebroid()), [](const auto& kind) {
  std::string name = kind.param.name;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

TEST(Section, OfAnotherRankIsRefused) {
  const auto list = samples::every_algebroid();
  const Algebroid& e = list.front().algebroid;
  EXPECT_THROW(section_bracket(e, {e.x[0]}, section_of(e, 1)), herglotz::Refused);
  EXPECT_THROW(complete_lift(e, {}), herglotz::Refused);
  EXPECT_THROW(exterior_derivative(e, Section{e.x[0]}), herglotz::Refused);
  EXPECT_THROW(nabla(e, Connection(e.n(), e.r(), e.x[0]), {}, section_of(e, 1)), herglotz::Refused);
}

}  // namespace
