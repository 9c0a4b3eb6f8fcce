#include <gtest/gtest.h>

#include <cmath>

#include "samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using samples::every_algebroid;
using samples::generic_system;

/// dQ/dt by the chain rule along the flow, minus L_z Q minus the source of the law.
void expect_identity(const System& system, const Equations& q, const BalanceLaw& law) {
  const auto flow = flow_program(system, q);
  std::vector<symbolic::Expr> rate = flow.outputs;
  rate.push_back(system.graph().number(std::int64_t{1}));
  const std::vector<symbolic::Expr> quantity{law.quantity};
  const auto dQ = symbolic::directional_derivative(quantity, q.u, rate).front();
  const std::vector<symbolic::Expr> outputs{dQ, q.L_z * law.quantity, law.source};
  const auto names = samples::names_of(system, q);
  std::mt19937_64 engine(7);
  for (int k = 0; k < 6; ++k) {
    const auto v = symbolic::evaluate(outputs, names, samples::random_point(system, q, engine));
    const double size = 1 + std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]);
    EXPECT_NEAR(v[0] - v[1] - v[2], 0, 1e-12 * size) << law.name;
    EXPECT_GT(std::abs(v[2]), 1e-3) << "the source of " << law.name << " is exercised";
  }
}

class BalanceOnEveryAlgebroid : public testing::TestWithParam<samples::Kind> {};

// [ASC25, Prop. 4.1, Prop. 4.4]; on general algebroids with the terms in sigma - rho and the symmetric part of c, and
// with -dL/dt and forces.
TEST_P(BalanceOnEveryAlgebroid, ObeysTheBalanceOfEnergyAndMomentumAlongItsFlow) {
  const System system = generic_system(GetParam().algebroid);
  const Equations q = derive(system);
  const auto laws = balance_laws(system, q);
  ASSERT_EQ(laws.size(), 2U);
  for (const auto& law : laws) expect_identity(system, q, law);
}

// W dw/dt = b is the same statement as dp/dt = f + L_z p with dp/dt by the chain rule. [ASC25, Eq. 7].
TEST_P(BalanceOnEveryAlgebroid, SolvedFlowSatisfiesTheMomentumEquation) {
  const System system = generic_system(GetParam().algebroid);
  const Equations q = derive(system);
  std::vector<symbolic::Expr> rate = flow_program(system, q).outputs;
  rate.push_back(system.graph().number(std::int64_t{1}));
  const auto p_dot = symbolic::directional_derivative(q.p, q.u, rate);
  std::vector<symbolic::Expr> outputs;
  for (std::size_t j = 0; j < system.r(); ++j) outputs.push_back(p_dot[j] - q.f[j] - q.L_z * q.p[j]);
  std::mt19937_64 engine(11);
  for (int k = 0; k < 4; ++k)
    for (const double defect :
         symbolic::evaluate(outputs, samples::names_of(system, q), samples::random_point(system, q, engine)))
      EXPECT_NEAR(defect, 0, 1e-11);
}

TEST_P(BalanceOnEveryAlgebroid, MomentumIsBoundedByItsScale) {
  const System system = generic_system(GetParam().algebroid);
  const Equations q = derive(system);
  std::mt19937_64 engine(3);
  for (const auto& law : balance_laws(system, q)) {
    const std::vector<symbolic::Expr> outputs{law.quantity, law.scale};
    for (int k = 0; k < 4; ++k) {
      const auto v =
          symbolic::evaluate(outputs, samples::names_of(system, q), samples::random_point(system, q, engine));
      EXPECT_GT(v[1], 0);
      EXPECT_LE(std::abs(v[0]), v[1] * static_cast<double>(std::max<std::size_t>(2, system.r())) * (1 + 1e-14));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, BalanceOnEveryAlgebroid, testing::ValuesIn(every_algebroid()),
                         [](const auto& given) { return given.param.name; });

// On a skew algebroid a conserved Lagrangian has no energy source at all, symbolically. [ASC25, Prop. 4.1].
TEST(Balance, EnergyOfAnAutonomousSkewSystemIsADissipatedInvariant) {
  for (const auto& kind : every_algebroid()) {
    if (kind.name == "general" || kind.name == "constrained" || kind.name == "hamel" || kind.name == "atiyah") continue;
    System system = make_system(kind.algebroid);
    system.generator = system.algebroid.y[0] * system.algebroid.y[0] - system.z * system.z;
    EXPECT_TRUE(balance_laws(system, derive(system)).front().source.is_zero()) << kind.name;
  }
}

}  // namespace
