#include <gtest/gtest.h>

#include <cmath>

#include "reference_case.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using namespace herglotz::mechanics::reference;
using symbolic::Expr;

class Reference : public testing::TestWithParam<std::string> {};

std::vector<Expr> variables_of(const System& system, const Equations& q) {
  const auto program = balance_program(system, q, {});
  std::vector<Expr> names = program.variables;
  names.insert(names.end(), program.parameters.begin(), program.parameters.end());
  return names;
}

// Under the nonholonomic rule the flow also says the multipliers, in the sign of the force + lambda_k dPhi^k/dy.
TEST_P(Reference, MomentaEnergyAndMultipliersAgreeAtEveryStoredState) {
  const Case c(GetParam());
  const Equations q = derive(c.system);
  std::vector<Expr> outputs = q.p;
  outputs.push_back(q.energy);
  const auto flow = flow_program(c.system, q).outputs;
  if (q.rule == Rule::nonholonomic) {
    outputs.insert(outputs.end(), flow.end() - static_cast<std::ptrdiff_t>(q.m()), flow.end());
  }
  ASSERT_GE(c.data["states"].size(), 2U);
  for (const auto& state : c.data["states"]) {
    const auto v = symbolic::evaluate(outputs, variables_of(c.system, q), point_of(c.system, state));
    auto expected = numbers(state[state.contains("p") ? "p" : "momentum L_v-mu psi_v"]);
    expected.push_back(number(state["E"]));
    if (q.rule == Rule::nonholonomic) {
      for (const double lambda : numbers(state["mu"])) expected.push_back(lambda);
    }
    ASSERT_EQ(v.size(), expected.size());
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], expected[i], 1e-12 * (1 + std::abs(expected[i])));
  }
}

/// Classical Runge-Kutta of the derived flow from the first stored state to the second, and int dL/dz with it.
TEST_P(Reference, FlowLeadsFromTheFirstStoredStateToTheSecond) {
  const Case c(GetParam());
  const Equations q = derive(c.system);
  const std::size_t m = q.rule == Rule::vakonomic ? q.m() : 0;
  const std::size_t size = q.u.size() - 1;  // of (x, w, z); then t and nu
  std::vector<Expr> outputs = flow_program(c.system, q).outputs;
  outputs.resize(size + m);
  outputs.push_back(q.L_z);
  outputs.insert(outputs.begin() + static_cast<std::ptrdiff_t>(size), c.graph->number(std::int64_t{1}));
  const auto names = variables_of(c.system, q);
  const auto& first = c.data["states"][0];
  const auto& second = c.data["states"][1];
  auto point = point_of(c.system, first);
  const auto expected = point_of(c.system, second);
  constexpr int steps = 400;
  const double h = (number(second["t"]) - number(first["t"])) / steps;
  double integral = 0;
  const auto slope = [&](const std::vector<double>& base, const std::vector<double>& k, double factor) {
    auto at = base;
    for (std::size_t i = 0; i <= size + m; ++i) at[i] += factor * h * (k.empty() ? 0 : k[i]);
    return symbolic::evaluate(outputs, names, at);
  };
  for (int step = 0; step < steps; ++step) {
    const auto k1 = slope(point, {}, 0);
    const auto k2 = slope(point, k1, 0.5);
    const auto k3 = slope(point, k2, 0.5);
    const auto k4 = slope(point, k3, 1);
    for (std::size_t i = 0; i <= size + m; ++i) point[i] += h * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) / 6;
    integral += h * (k1.back() + 2 * k2.back() + 2 * k3.back() + k4.back()) / 6;
  }
  for (std::size_t i = 0; i <= size + m; ++i) EXPECT_NEAR(point[i], expected[i], 2e-10 * (1 + std::abs(expected[i])));
  if (!second.contains("int_dLdz")) return;
  EXPECT_NEAR(integral, number(second["int_dLdz"]) - number(first["int_dLdz"]), 2e-10);
}

INSTANTIATE_TEST_SUITE_P(Constrained, Reference, testing::ValuesIn(cases_of_type({"nonholonomic", "vakonomic"})),
                         [](const auto& given) { return given.param; });
INSTANTIATE_TEST_SUITE_P(Unconstrained, Reference, testing::ValuesIn(cases_of_type({"elh"})),
                         [](const auto& given) { return given.param; });

}  // namespace
