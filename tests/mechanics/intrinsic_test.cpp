#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/mechanics/coordinate_free.hpp"
#include "herglotz/mechanics/geometry/tulczyjew.hpp"
#include "herglotz/mechanics/hamilton_pontryagin.hpp"
#include "herglotz/mechanics/variation.hpp"
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

// [ASC25, Thm 5.1, Remark 5.2, Cor. 6.3].
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

// [ASC25, Eqs. 26-27, Lemma A.1]: the dual derivative less the other terms is the Euler-Lagrange operator, for every
// connection.
TEST_P(IntrinsicForm, TheTermsWithAConnectionDifferByTheOperator) {
  const System system = samples::generic_system(GetParam().algebroid);
  const Equations q = derive(system);
  const EulerLagrange expected = euler_lagrange(system);
  auto names = samples::names_of(system, q);
  names.insert(names.end(), expected.y_dot.begin(), expected.y_dot.end());
  std::mt19937_64 engine(23);
  for (const std::uint64_t seed : {1U, 2U}) {
    const auto terms = connection_terms(system, random_connection(system, seed), expected.y_dot);
    std::vector<Expr> difference;
    for (std::size_t j = 0; j < system.r(); ++j)
      difference.push_back(terms.dual[j] - terms.pulled_back[j] - terms.action[j] - terms.forces[j]);
    auto point = samples::random_point(system, q, engine);
    for (std::size_t a = 0; a < system.r(); ++a) point.push_back(0.3 - 0.2 * static_cast<double>(a));
    const auto rows = symbolic::evaluate(expected.rows, names, point);
    const auto found = symbolic::evaluate(difference, names, point);
    for (std::size_t j = 0; j < system.r(); ++j) EXPECT_NEAR(found[j], rows[j], 1e-12 * (1 + std::abs(rows[j])));
  }
}

// [GG08, Eqs. 3.1-3.3]: along motions without forces Lambda_L is the velocity of lambda_L, to which Herglotz' principle
// adds L_z p.
TEST_P(IntrinsicForm, TheTulczyjewDifferentialIsTheVelocityOfTheMomenta) {
  System system = samples::generic_system(GetParam().algebroid);
  for (Expr& force : system.forces) force = system.graph().number(std::int64_t{0});
  const Equations q = derive(system);
  const DualVector differential = tulczyjew_differential(system);
  std::vector<Expr> rate = flow_program(system, q).outputs;
  rate.push_back(system.graph().number(std::int64_t{1}));
  auto expected = q.x_dot;
  const auto p_dot = symbolic::directional_derivative(q.p, q.u, rate);
  expected.insert(expected.end(), p_dot.begin(), p_dot.end());
  auto found = differential.x_dot;
  for (std::size_t j = 0; j < system.r(); ++j) found.push_back(differential.p_dot[j] + q.L_z * q.p[j]);
  std::mt19937_64 engine(29);
  const auto names = samples::names_of(system, q);
  const auto point = samples::random_point(system, q, engine);
  const auto a = symbolic::evaluate(expected, names, point);
  const auto b = symbolic::evaluate(found, names, point);
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(b[k], a[k], 1e-11 * (1 + std::abs(a[k])));
}

// [GG08, Eq. 3.9]: on T R^2 x so(3) the map sends (p_x, p_y; p_xdot, p_ydot, p_omega) to the rates (p_x, p_y, p_omega x
// omega) over the velocities.
TEST(Tulczyjew, TheMapOfTheBallOnAPlaneIsThatOfThePaper) {
  const auto graph = std::make_shared<symbolic::Graph>();
  const auto s = [&](const char* name) { return graph->symbol(name); };
  const auto plane = geometry::tangent(graph, {{s("x"), s("y")}, {s("vx"), s("vy")}});
  const auto rotations =
      geometry::lie_algebra(graph, {{}, {s("w1"), s("w2"), s("w3")}}, geometry::group_structure(*graph, "so3", 3));
  const System system = make_system(geometry::product({plane, rotations}));
  const std::vector<Expr> alpha{s("a"), s("b")};
  const DualVector image = algebroid_map(system, alpha, system.p);
  std::vector<Expr> all = image.x_dot;
  all.insert(all.end(), image.p_dot.begin(), image.p_dot.end());
  std::vector<Expr> names = system.algebroid.y;
  names.insert(names.end(), alpha.begin(), alpha.end());
  names.insert(names.end(), system.p.begin(), system.p.end());
  const std::vector<double> w{0.3, -0.4, 0.5};
  const std::vector<double> p{0.7, 1.1, -0.6};
  const auto v =
      symbolic::evaluate(all, names, std::vector<double>{2, 3, w[0], w[1], w[2], 5, 7, 8, 9, p[0], p[1], p[2]});
  const std::vector<double> expected{
      2, 3, 5, 7, p[1] * w[2] - p[2] * w[1], p[2] * w[0] - p[0] * w[2], p[0] * w[1] - p[1] * w[0]};
  ASSERT_EQ(v.size(), expected.size());
  for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(v[k], expected[k], 1e-14);
}

// [ASC25, Sec. 5]: the sphere in (theta, phi) has R^theta_{phi theta phi} = sin^2 theta, and a frame by itself no
// curvature.
TEST(Curvature, TheSphereHasThatOfItsMetric) {
  symbolic::Graph g;
  const Expr theta = g.symbol("theta");
  const std::vector<Expr> x{theta, g.symbol("phi")};
  geometry::Connection gamma(2, 2, g.number(std::int64_t{0}));
  for (const Expr& entry : geometry::curvature(gamma, x, 2)) EXPECT_TRUE(entry.is_zero());
  gamma(0, 1, 1) = -sin(theta) * cos(theta);
  gamma(1, 0, 1) = gamma(1, 1, 0) = cos(theta) / sin(theta);
  const auto entries = geometry::curvature(gamma, x, 2);
  const auto at = [&](std::size_t b, std::size_t a, std::size_t i, std::size_t j) {
    return symbolic::evaluate(std::vector{entries[((b * 2 + a) * 2 + i) * 2 + j]}, std::vector{theta}, std::vector{0.8})
        .front();
  };
  const double squared = std::sin(0.8) * std::sin(0.8);
  EXPECT_NEAR(at(0, 1, 0, 1), squared, 1e-14);
  EXPECT_NEAR(at(0, 1, 1, 0), -squared, 1e-14);
  EXPECT_NEAR(at(1, 0, 0, 1), -1, 1e-14);
  EXPECT_NEAR(at(0, 0, 0, 1), 0, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Kinds, IntrinsicForm, testing::ValuesIn(samples::every_algebroid()),
                         [](const auto& given) { return given.param.name; });

}  // namespace
