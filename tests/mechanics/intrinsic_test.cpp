#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/mechanics/coordinate_free.hpp"
#include "herglotz/mechanics/hamilton_pontryagin.hpp"
#include "samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using symbolic::Expr;

class IntrinsicForm : public testing::TestWithParam<samples::Kind> {};

/// Christoffel symbols that are random polynomials of the base coordinates.
geometry::Connection random_connection(const System& system, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_int_distribution<std::int64_t> integer(-5, 5);
  symbolic::Graph& g = system.graph();
  geometry::Connection gamma(system.n(), system.r(), g.number(std::int64_t{0}));
  for (std::size_t b = 0; b < system.r(); ++b)
    for (std::size_t i = 0; i < system.n(); ++i)
      for (std::size_t a = 0; a < system.r(); ++a)
        gamma(b, i, a) = g.number(integer(engine)) + system.algebroid.x[i] * g.number(integer(engine));
  return gamma;
}

// [ASC25, Thm 5.1, Remark 5.2].
TEST_P(IntrinsicForm, EquationsDoNotDependOnTheConnection) {
  const System system = samples::generic_system(GetParam().algebroid);
  const Equations plain = derive(system);
  const auto expected = flow_program(system, plain).outputs;
  std::mt19937_64 engine(17);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Equations covariant = derive_with_connection(system, random_connection(system, seed));
    const auto found = flow_program(system, covariant).outputs;
    const auto point = samples::random_point(system, plain, engine);
    const auto names = samples::names_of(system, plain);
    const auto a = symbolic::evaluate(expected, names, point);
    const auto b = symbolic::evaluate(found, names, point);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12 * (1 + std::abs(a[i])));
  }
}

// [ASC25, Thm 6.2].
TEST_P(IntrinsicForm, ImplicitEquationsVanishExactlyAlongTheExplicitFlow) {
  const System system = samples::generic_system(GetParam().algebroid);
  const Equations q = derive(system);
  const ImplicitEquations implicit = hamilton_pontryagin(system);
  std::vector<Expr> rate = flow_program(system, q).outputs;
  rate.push_back(system.graph().number(std::int64_t{1}));
  const auto p_dot = symbolic::directional_derivative(q.p, q.u, rate);

  std::vector<Expr> from = system.p;
  std::vector<Expr> to = q.p;
  from.insert(from.end(), implicit.rates.begin(), implicit.rates.end());
  to.insert(to.end(), q.x_dot.begin(), q.x_dot.end());
  to.insert(to.end(), p_dot.begin(), p_dot.end());
  to.push_back(q.L);
  const auto along = symbolic::substitute(implicit.residuals, from, to);
  ASSERT_EQ(along.size(), system.n() + 2 * system.r() + 1);
  std::mt19937_64 engine(19);
  const auto names = samples::names_of(system, q);
  for (int k = 0; k < 3; ++k)
    for (const double residual : symbolic::evaluate(along, names, samples::random_point(system, q, engine)))
      EXPECT_NEAR(residual, 0, 1e-11);

  // Another acceleration leaves a residual: the system is equivalent, not only satisfied.
  to.back() = q.L + 1.0;
  to[system.r() + system.n()] = p_dot[0] + 1.0;
  const auto off = symbolic::substitute(implicit.residuals, from, to);
  const auto v = symbolic::evaluate(off, names, samples::random_point(system, q, engine));
  EXPECT_NEAR(v[system.n() + system.r()], 1, 1e-11);
  EXPECT_NEAR(v.back(), 1, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Kinds, IntrinsicForm, testing::ValuesIn(samples::every_algebroid()),
                         [](const auto& given) { return given.param.name; });

}  // namespace
