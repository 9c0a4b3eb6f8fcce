#include "herglotz/mechanics/legendre.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using samples::read;
using symbolic::Expr;

/// The generic system without its quartic terms: quadratic in the velocities with every mixed term.
System quadratic_system(const geometry::Algebroid& algebroid) {
  System s = samples::generic_system(algebroid);
  for (const Expr& y : s.algebroid.y) s.generator -= pow(y, 4) / 50;
  return s;
}

class LegendreMap : public testing::TestWithParam<samples::Kind> {};

/// (x_dot, p_dot, z_dot) of the Lagrangian flow, with p_dot by the chain rule, at (x, y, z, t).
std::vector<Expr> momentum_field(const System& system, const Equations& q) {
  std::vector<Expr> rate = flow_program(system, q).outputs;
  std::vector<Expr> field(rate.begin(), rate.begin() + static_cast<std::ptrdiff_t>(system.n()));
  const Expr z_dot = rate.back();
  rate.push_back(system.graph().number(std::int64_t{1}));
  for (const Expr& p_dot : symbolic::directional_derivative(q.p, q.u, rate)) field.push_back(p_dot);
  field.push_back(z_dot);
  return field;
}

TEST_P(LegendreMap, LegendreMapCarriesTheLagrangianFlowToTheHamiltonianOne) {
  const System lagrangian = quadratic_system(GetParam().algebroid);
  const auto hamiltonian = legendre_transform(lagrangian);
  ASSERT_TRUE(hamiltonian.has_value());
  ASSERT_EQ(hamiltonian->formulation, Formulation::hamiltonian);
  const Equations q = derive(lagrangian);
  const Equations dual = derive(*hamiltonian);

  std::vector<Expr> from = q.p;
  const auto field = momentum_field(lagrangian, q);
  from.insert(from.end(), field.begin(), field.end());
  from.insert(from.end(), {q.energy, q.L_z});
  std::vector<Expr> to = flow_program(*hamiltonian, dual).outputs;
  to.insert(to.end(), {dual.energy, dual.L_z});
  std::mt19937_64 engine(5);
  for (int k = 0; k < 4; ++k) {
    auto point = samples::random_point(lagrangian, q, engine);
    const auto v = symbolic::evaluate(from, samples::names_of(lagrangian, q), point);
    std::copy_n(v.begin(), lagrangian.r(), point.begin() + static_cast<std::ptrdiff_t>(lagrangian.n()));
    const auto w = symbolic::evaluate(to, samples::names_of(*hamiltonian, dual), point);
    for (std::size_t i = 0; i < w.size(); ++i)
      EXPECT_NEAR(w[i], v[lagrangian.r() + i], 1e-11 * (1 + std::abs(w[i]))) << i;
  }
}

TEST_P(LegendreMap, LegendreTransformOfTheLegendreTransformIsTheIdentity) {
  const System lagrangian = quadratic_system(GetParam().algebroid);
  const auto hamiltonian = legendre_transform(lagrangian);
  ASSERT_TRUE(hamiltonian.has_value());
  const auto back = legendre_transform(*hamiltonian);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->formulation, Formulation::lagrangian);
  const Equations q = derive(lagrangian);
  const std::vector<Expr> both{lagrangian.generator, back->generator};
  std::mt19937_64 engine(9);
  for (int k = 0; k < 4; ++k) {
    const auto v =
        symbolic::evaluate(both, samples::names_of(lagrangian, q), samples::random_point(lagrangian, q, engine));
    EXPECT_NEAR(v[0], v[1], 1e-12 * (1 + std::abs(v[0])));
  }
}

// The balance laws of a Hamiltonian model, written with -dH/dx and -dH/dt, are identities along its own flow.
TEST_P(LegendreMap, HamiltonianFormObeysTheSameBalanceLaws) {
  const auto system = legendre_transform(quadratic_system(GetParam().algebroid));
  ASSERT_TRUE(system.has_value());
  const Equations q = derive(*system);
  std::vector<Expr> rate = flow_program(*system, q).outputs;
  rate.push_back(system->graph().number(std::int64_t{1}));
  std::mt19937_64 engine(13);
  for (const BalanceLaw& law : balance_laws(*system, q)) {
    const std::vector<Expr> quantity{law.quantity};
    const Expr change = symbolic::directional_derivative(quantity, q.u, rate).front();
    const std::vector<Expr> outputs{change - q.L_z * law.quantity - law.source, change};
    for (int k = 0; k < 3; ++k) {
      const auto v =
          symbolic::evaluate(outputs, samples::names_of(*system, q), samples::random_point(*system, q, engine));
      EXPECT_NEAR(v[0], 0, 1e-11 * (1 + std::abs(v[1]))) << law.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, LegendreMap, testing::ValuesIn(samples::every_algebroid()),
                         [](const auto& given) { return given.param.name; });

System line(std::string_view lagrangian) {
  auto g = std::make_shared<symbolic::Graph>();
  System s = make_system(geometry::tangent(g, {{g->symbol("q")}, {g->symbol("v")}}));
  s.generator = read(*g, lagrangian, {g->symbol("q"), g->symbol("v"), s.z, s.t});
  return s;
}

TEST(Legendre, HasNoClosedFormWhereTheHessianDependsOnTheVelocity) {
  EXPECT_FALSE(legendre_transform(line("v^4 + v^2")).has_value());
}

TEST(Legendre, HasNoInverseWhereTheLagrangianIsSingular) {
  EXPECT_FALSE(legendre_transform(line("q*v - q^2")).has_value());
}

TEST(Legendre, DampedOscillatorHasItsContactHamiltonian) {
  const auto h = legendre_transform(line("v^2/2 - q^2/2 - z/10"));
  ASSERT_TRUE(h.has_value());
  EXPECT_EQ(h->generator, read(h->graph(), "p_v^2/2 + q^2/2 + z/10", {h->p[0], h->algebroid.x[0], h->z}));
}

}  // namespace
