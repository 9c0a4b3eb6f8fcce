#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/mechanics/constraints.hpp"
#include "herglotz/mechanics/coordinate_free.hpp"
#include "herglotz/mechanics/hamilton_pontryagin.hpp"
#include "herglotz/mechanics/legendre.hpp"
#include "motion.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using samples::every_algebroid;
using samples::generic_system;
using samples::KindUnderRule;
using symbolic::Expr;

struct Along {
  std::vector<Expr> names;  ///< u, l, parameters
  std::vector<Expr> state;  ///< u, and nu under the vakonomic rule
  std::vector<Expr> rate;   ///< of the state
  std::vector<Expr> ell;
};

Along along_flow(const System& system, const Equations& q) {
  Along a;
  a.names = q.u;
  a.names.insert(a.names.end(), q.l.begin(), q.l.end());
  for (const auto& parameter : system.parameters) a.names.push_back(parameter.symbol);
  const auto flow = flow_program(system, q).outputs;
  a.state = q.u;
  a.rate.assign(flow.begin(), flow.end() - static_cast<std::ptrdiff_t>(q.m()));
  a.rate.push_back(system.graph().number(std::int64_t{1}));
  a.ell.assign(flow.end() - static_cast<std::ptrdiff_t>(q.m()), flow.end());
  if (q.rule == Rule::vakonomic) {
    a.state.insert(a.state.end(), q.l.begin(), q.l.end());
    a.rate.insert(a.rate.end(), a.ell.begin(), a.ell.end());
  }
  return a;
}

/// Values at a random point; under the nonholonomic rule lambda is what the flow says.
std::vector<double> values_at_random(const System& system, const Equations& q, const Along& a,
                                     std::vector<Expr> outputs, std::mt19937_64& engine) {
  std::uniform_real_distribution<double> uniform(0.15, 0.9);
  std::vector<double> point;
  for (std::size_t i = 0; i < q.u.size() + q.m(); ++i) point.push_back(uniform(engine));
  for (const auto& parameter : system.parameters) point.push_back(parameter.value);
  if (q.rule == Rule::nonholonomic) {
    const auto lambda = symbolic::evaluate(a.ell, a.names, point);
    std::copy(lambda.begin(), lambda.end(), point.begin() + static_cast<std::ptrdiff_t>(q.u.size()));
  }
  return symbolic::evaluate(outputs, a.names, point);
}

class Constrained : public testing::TestWithParam<KindUnderRule> {
 protected:
  void SetUp() override {
    system = generic_system(GetParam().kind.algebroid);
    constrain(system, GetParam().rule, samples::generic_constraints(system, true));
    q = derive(system);
    flow = along_flow(system, q);
  }
  System system;
  Equations q;
  Along flow;
};

// [LLMR21, Thm 3; GG08, Eqs. 5.10-5.11] with d/dt by the chain rule; under the vakonomic rule [GG08, Eqs. 5.3-5.4].
TEST_P(Constrained, FlowSatisfiesTheMomentumEquationAndKeepsTheConstraints) {
  const auto p_dot = symbolic::directional_derivative(q.p, flow.state, flow.rate);
  const auto Phi_dot = symbolic::directional_derivative(q.Phi, flow.state, flow.rate);
  std::vector<Expr> outputs = Phi_dot;
  for (std::size_t j = 0; j < system.r(); ++j) {
    Expr defect = p_dot[j] - q.f[j] - q.L_z * q.p[j];
    if (q.rule == Rule::nonholonomic)
      for (std::size_t A = 0; A < q.m(); ++A) defect -= q.l[A] * q.Phi_y(A, j);
    outputs.push_back(defect);
  }
  std::mt19937_64 engine(5);
  for (int k = 0; k < 4; ++k)
    for (const double defect : values_at_random(system, q, flow, outputs, engine)) EXPECT_NEAR(defect, 0, 1e-10);
}

// p, W, L_z and f are those of L under the nonholonomic rule and of L - nu Phi under the vakonomic one. [LLMR21, Thm 3
// and Sec. 5.4].
TEST_P(Constrained, MomentaAndForcesAreThoseOfTheLagrangianOfTheRule) {
  System extended = system;
  extended.constraints = {};
  if (q.rule == Rule::vakonomic)
    for (std::size_t A = 0; A < q.m(); ++A) extended.generator -= q.l[A] * q.Phi[A];
  const Equations e = derive(extended);
  std::vector<Expr> outputs;
  for (std::size_t j = 0; j < system.r(); ++j) {
    outputs.push_back(q.p[j] - e.p[j]);
    outputs.push_back(q.f[j] - e.f[j]);
    for (std::size_t i = 0; i < system.r(); ++i) outputs.push_back(q.W(i, j) - e.W(i, j));
  }
  outputs.push_back(q.L_z - e.L_z);
  std::mt19937_64 engine(23);
  for (const double defect : values_at_random(system, q, flow, outputs, engine)) EXPECT_NEAR(defect, 0, 1e-12);
}

// [ASC25, Prop. 4.1, Prop. 4.4] with the power of the constraint forces; vakonomic: for L - nu Phi.
TEST_P(Constrained, ObeysTheBalanceOfEnergyAndMomentumAlongItsFlow) {
  for (const auto& law : balance_laws(system, q)) {
    const std::vector<Expr> quantity{law.quantity};
    const auto dQ = symbolic::directional_derivative(quantity, flow.state, flow.rate).front();
    std::mt19937_64 engine(7);
    for (int k = 0; k < 4; ++k) {
      const auto v = values_at_random(system, q, flow, {dQ, q.L_z * law.quantity, law.source}, engine);
      EXPECT_NEAR(v[0] - v[1] - v[2], 0, 1e-11 * (1 + std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]))) << law.name;
    }
  }
}

TEST_P(Constrained, JacobianOfTheFlowIsItsDerivative) {
  const auto jacobian = flow_jacobian_program(system, q);
  const auto direct = symbolic::to_dense(system.graph(), [&] {
    std::vector<Expr> by(q.u.begin(), q.u.end() - 1);
    by.insert(by.end(), q.l.begin(), q.l.end());
    return symbolic::jacobian(flow_program(system, q).outputs, by);
  }());
  ASSERT_EQ(jacobian.rows, direct.rows);
  ASSERT_EQ(jacobian.cols, direct.cols);
  std::vector<Expr> outputs = direct.entries;
  for (std::size_t k = 0; k < jacobian.row.size(); ++k)
    outputs[jacobian.row[k] * direct.cols + jacobian.col[k]] -= jacobian.program.outputs[k];
  std::mt19937_64 engine(13);
  for (const double defect : values_at_random(system, q, flow, outputs, engine)) EXPECT_NEAR(defect, 0, 1e-9);
}

// The rows (x_dot, z_dot, W, b, Phi_y, Phi_w, beta) determine the same rates as the flow.
TEST_P(Constrained, MassFormHasTheFlowAsItsSolution) {
  const auto mass = mass_jacobian_program(system, q);
  const auto& variables = mass.program.variables;
  const std::size_t rates = system.r() + q.m();
  const std::vector<Expr> symbols(variables.end() - static_cast<std::ptrdiff_t>(rates), variables.end());
  const auto flow_outputs = flow_program(system, q).outputs;
  std::vector<Expr> values(flow_outputs.begin() + static_cast<std::ptrdiff_t>(system.n()), flow_outputs.end());
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(system.r()));
  const auto rows = mass_program(system, q).outputs;
  auto at = rows.begin() + static_cast<std::ptrdiff_t>(system.n()) + 1;
  const auto take = [&](std::size_t count) {
    std::vector<Expr> block(at, at + static_cast<std::ptrdiff_t>(count));
    at += static_cast<std::ptrdiff_t>(count);
    return block;
  };
  const std::size_t r = system.r();
  const auto W = take(r * r);
  const auto b = take(r);
  const auto Phi_y = take(q.m() * r);
  const auto Phi_w = take(q.m() * r);
  const auto beta = take(q.m());
  std::vector<Expr> outputs;
  for (std::size_t i = 0; i < r; ++i) {
    Expr defect = b[i];
    for (std::size_t j = 0; j < r; ++j) defect -= W[i * r + j] * values[j];
    for (std::size_t A = 0; A < q.m(); ++A) defect += Phi_y[A * r + i] * values[r + A];
    outputs.push_back(defect);
  }
  for (std::size_t A = 0; A < q.m(); ++A) {
    Expr defect = beta[A];
    for (std::size_t j = 0; j < r; ++j) defect += Phi_w[A * r + j] * values[j];
    outputs.push_back(defect);
  }
  std::mt19937_64 engine(17);
  for (const double defect : values_at_random(system, q, flow, outputs, engine)) EXPECT_NEAR(defect, 0, 1e-11);
}

// [W, -Phi_y^T; Phi_w, 0] (w_dot, ell) = (b, -beta), from the entries that are not always zero.
TEST_P(Constrained, SaddleFormHasTheEntriesOfTheMassForm) {
  const auto saddle = saddle_program(system, q);
  const auto mass = mass_program(system, q).outputs;
  const std::size_t n = system.n();
  const std::size_t r = system.r();
  const std::size_t m = q.m();
  ASSERT_EQ(saddle.program.outputs.size(), n + 1 + r + m + saddle.row.size());
  std::vector<Expr> rest(saddle.program.outputs.begin(),
                         saddle.program.outputs.begin() + static_cast<std::ptrdiff_t>(n) + 1);
  for (std::size_t i = 0; i <= n; ++i) rest[i] -= mass[i];
  const std::size_t b = n + 1 + r * r;
  const std::size_t Phi_y = b + r;
  const std::size_t Phi_w = Phi_y + m * r;
  const std::size_t beta = Phi_w + m * r;
  for (std::size_t i = 0; i < r; ++i) rest.push_back(saddle.program.outputs[n + 1 + i] - mass[b + i]);
  for (std::size_t A = 0; A < m; ++A) rest.push_back(saddle.program.outputs[n + 1 + r + A] + mass[beta + A]);
  // Each entry is taken from its block, and nothing is left there.
  std::vector<Expr> blocks(mass.begin(), mass.end());
  for (std::size_t k = 0; k < saddle.row.size(); ++k) {
    const std::size_t i = saddle.row[k];
    const std::size_t j = saddle.col[k];
    const Expr entry = saddle.program.outputs[n + 1 + r + m + k];
    if (i >= r)
      blocks[Phi_w + (i - r) * r + j] -= entry;
    else if (j >= r)
      blocks[Phi_y + (j - r) * r + i] += entry;
    else
      blocks[n + 1 + i * r + j] -= entry;
  }
  rest.insert(rest.end(), blocks.begin() + static_cast<std::ptrdiff_t>(n) + 1,
              blocks.begin() + static_cast<std::ptrdiff_t>(b));
  rest.insert(rest.end(), blocks.begin() + static_cast<std::ptrdiff_t>(Phi_y),
              blocks.begin() + static_cast<std::ptrdiff_t>(beta));
  std::mt19937_64 engine(19);
  for (const double defect : values_at_random(system, q, flow, rest, engine)) EXPECT_NEAR(defect, 0, 1e-12);
}

// [ASC25, Thm 6.2] with a rule: the implicit equations vanish along the explicit flow, on the constraints.
TEST_P(Constrained, ImplicitEquationsVanishAlongTheFlow) {
  const ImplicitEquations implicit = hamilton_pontryagin(system);
  const auto p_dot = symbolic::directional_derivative(q.p, flow.state, flow.rate);
  std::vector<Expr> from = system.p;
  std::vector<Expr> to = q.p;
  from.insert(from.end(), implicit.rates.begin(), implicit.rates.end());
  to.insert(to.end(), q.x_dot.begin(), q.x_dot.end());
  to.insert(to.end(), p_dot.begin(), p_dot.end());
  to.push_back(q.L);
  auto along = symbolic::substitute(implicit.residuals, from, to);
  ASSERT_EQ(along.size(), system.n() + 2 * system.r() + 1 + q.m());
  for (std::size_t A = 0; A < q.m(); ++A) along[along.size() - q.m() + A] -= q.Phi[A];
  std::mt19937_64 engine(41);
  for (const double residual : values_at_random(system, q, flow, along, engine)) EXPECT_NEAR(residual, 0, 1e-10);
}

// [ASC25, Thm 5.1] with a rule.
TEST_P(Constrained, EquationsDoNotDependOnTheConnection) {
  symbolic::Graph& g = system.graph();
  geometry::Connection gamma(system.n(), system.r(), g.number(std::int64_t{0}));
  for (std::size_t b = 0; b < system.r(); ++b)
    for (std::size_t i = 0; i < system.n(); ++i)
      for (std::size_t a = 0; a < system.r(); ++a)
        gamma(b, i, a) =
            g.number(static_cast<std::int64_t>(b + 2 * i) - 3) + system.algebroid.x[i] * static_cast<double>(a + 1);
  const Equations covariant = derive_with_connection(system, gamma);
  std::vector<Expr> outputs;
  for (std::size_t j = 0; j < system.r(); ++j) outputs.push_back(covariant.b[j] - q.b[j]);
  std::mt19937_64 engine(43);
  for (const double defect : values_at_random(system, q, flow, outputs, engine)) EXPECT_NEAR(defect, 0, 1e-11);
}

std::vector<KindUnderRule> every_rule() {
  std::vector<KindUnderRule> given;
  for (const auto& kind : every_algebroid())
    if (kind.algebroid.r() >= 2)
      for (const Rule rule : {Rule::nonholonomic, Rule::vakonomic}) given.push_back({kind, rule});
  return given;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Constrained, testing::ValuesIn(every_rule()), [](const auto& given) {
  return given.param.kind.name + (given.param.rule == Rule::vakonomic ? "_vakonomic" : "_nonholonomic");
});

System forced_particle() {
  auto graph = std::make_shared<symbolic::Graph>();
  System s = make_system(
      geometry::tangent(graph, {samples::symbols(*graph, {"a", "b", "c"}), samples::symbols(*graph, {"u", "v", "w"})}));
  const auto& x = s.algebroid.x;
  const auto& y = s.algebroid.y;
  s.generator =
      ((2.0 + cos(x[1])) * y[0] * y[0] + y[1] * y[1] * (1.0 + s.z * s.z) + y[2] * y[2] + y[0] * y[2] / 3) / 2 -
      x[0] * x[2] * s.z - s.z / 4 + sin(s.t) * y[1];
  s.forces[2] = -y[2] / 5;
  return s;
}

// A constrained Lagrangian and its Legendre transform have the same motion, under both rules. [LJL21, Sec. 6].
TEST(ConstrainedHamiltonian, HasTheMotionOfItsLagrangian) {
  for (const Rule rule : {Rule::nonholonomic, Rule::vakonomic}) {
    System lagrangian = forced_particle();
    const auto& x = lagrangian.algebroid.x;
    const auto& y = lagrangian.algebroid.y;
    constrain(lagrangian, rule, {x[0] * x[0] + x[1] * x[1] - 1.0, y[2] * y[0] - lagrangian.z * y[1] + x[2] / 2});
    const System hamiltonian = legendre_transform(lagrangian).value();
    const Equations q = derive(lagrangian);
    const Equations h = derive(hamiltonian);
    const auto flow = along_flow(lagrangian, q);
    const auto mechanical_momenta = [&] {
      System without = lagrangian;
      without.constraints = {};
      return derive(without).p;
    }();
    // p of the Hamiltonian model is dL/dy; its rate along the Lagrangian flow against the Hamiltonian flow.
    auto rates = symbolic::directional_derivative(mechanical_momenta, flow.state, flow.rate);
    rates.insert(rates.begin(), q.x_dot.begin(), q.x_dot.end());
    rates.push_back(q.L);
    rates.insert(rates.end(), flow.ell.begin(), flow.ell.end());
    const auto there = symbolic::substitute(flow_program(hamiltonian, h).outputs, hamiltonian.p, mechanical_momenta);
    ASSERT_EQ(rates.size(), there.size());
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i] -= there[i];
    rates.push_back(q.energy - symbolic::substitute(h.energy, hamiltonian.p, mechanical_momenta));
    std::mt19937_64 engine(31);
    for (int k = 0; k < 3; ++k)
      for (const double defect : values_at_random(lagrangian, q, flow, rates, engine)) EXPECT_NEAR(defect, 0, 1e-11);
  }
}

TEST(ConstraintKinds, FollowFromTheVelocities) {
  const System s = forced_particle();
  const auto& x = s.algebroid.x;
  const auto& y = s.algebroid.y;
  EXPECT_EQ(kind_of(s, x[0] - s.t * s.z), ConstraintKind::holonomic);
  EXPECT_EQ(kind_of(s, y[0] * sin(x[2]) - y[1] * s.z), ConstraintKind::linear);
  EXPECT_EQ(kind_of(s, y[0] - x[1]), ConstraintKind::affine);
  EXPECT_EQ(kind_of(s, (y[0] + x[1]) * (y[0] - x[1]) - y[0] * y[0] + y[1]), ConstraintKind::affine);
  EXPECT_EQ(kind_of(s, y[0] * y[0] - y[1]), ConstraintKind::nonlinear);
  // What vanishes only once it is multiplied out, beside what does not vanish.
  const Expr nothing = (x[1] + 1.0) * (x[1] + 1.0) - x[1] * x[1] - 2.0 * x[1] - 1.0;
  EXPECT_EQ(kind_of(s, y[0] + nothing), ConstraintKind::linear);
  EXPECT_EQ(kind_of(s, y[0] + nothing + x[1] / 1000.0), ConstraintKind::affine);
  EXPECT_EQ(kind_of(s, x[0] + nothing * y[0]), ConstraintKind::holonomic);
}

// phi_x rho y + phi_z L + phi_t, the derivative along every motion. Theory, Sec. 2.
TEST(ConstraintKinds, VelocityFreeEquationsImplyTheirDerivative) {
  const System s = forced_particle();
  const auto& x = s.algebroid.x;
  const Expr derivative = velocity_constraint(s, x[0] * x[1] - s.z * s.t);
  const Expr expected = x[0] * s.algebroid.y[1] + x[1] * s.algebroid.y[0] - s.t * s.generator - s.z;
  const Equations q = derive(s);
  std::mt19937_64 engine(2);
  const std::vector<Expr> outputs{derivative - expected};
  EXPECT_NEAR(symbolic::evaluate(outputs, samples::names_of(s, q), samples::random_point(s, q, engine))[0], 0, 1e-14);
}

TEST(Constraints, NamesOfMultipliersAreTheirOwn) {
  auto graph = std::make_shared<symbolic::Graph>();
  System s =
      make_system(geometry::tangent(graph, {samples::symbols(*graph, {"lambda1"}), samples::symbols(*graph, {"v"})}));
  EXPECT_THROW(constrain(s, Rule::nonholonomic, {s.algebroid.y[0]}), std::invalid_argument);
  EXPECT_NO_THROW(constrain(s, Rule::vakonomic, {s.algebroid.y[0]}));
}

TEST(Constraints, KeptOnesKeepTheirMultipliers) {
  System s = forced_particle();
  constrain(s, Rule::nonholonomic, {s.algebroid.y[0], s.algebroid.y[1], s.algebroid.y[2]});
  const System two = with_constraints(s, {0, 2});
  ASSERT_EQ(two.constraints.equations.size(), 2U);
  EXPECT_EQ(two.constraints.multipliers[1].name(), "lambda3");
}

}  // namespace
