#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/integrate/kernel_outputs.hpp"
#include "herglotz/mechanics/legendre.hpp"
#include "samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using samples::read;
using symbolic::Expr;

class Programs : public testing::TestWithParam<samples::Kind> {
 protected:
  Programs() : system(samples::generic_system(GetParam().algebroid)), q(derive(system)) {}

  std::vector<double> at(const symbolic::Program& program, const std::vector<double>& point) const {
    std::vector<Expr> names = program.variables;
    names.insert(names.end(), program.parameters.begin(), program.parameters.end());
    return symbolic::evaluate(program.outputs, names, point);
  }

  /// The Jacobian program against central differences of the program, in every state variable.
  void expect_derivatives(const symbolic::Program& program, const SparseProgram& jacobian,
                          const std::vector<double>& point) const {
    const std::size_t state = q.u.size() - 1;
    ASSERT_EQ(jacobian.rows, program.outputs.size());
    ASSERT_EQ(jacobian.cols, state);
    std::vector<double> dense(jacobian.rows * jacobian.cols, 0.0);
    const auto values = at(jacobian.program, point);
    for (std::size_t k = 0; k < values.size(); ++k) dense[jacobian.row[k] * state + jacobian.col[k]] = values[k];
    constexpr double h = 1e-5;
    for (std::size_t j = 0; j < state; ++j) {
      auto ahead = point;
      auto behind = point;
      ahead[j] += h;
      behind[j] -= h;
      const auto a = at(program, ahead);
      const auto b = at(program, behind);
      for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(dense[i * state + j], (a[i] - b[i]) / (2 * h), 2e-7 * (1 + std::abs(dense[i * state + j])))
            << i << ", " << j;
    }
  }

  System system;
  Equations q;
};

TEST_P(Programs, FlowJacobianIsTheDerivativeOfTheFlow) {
  std::mt19937_64 engine(23);
  expect_derivatives(flow_program(system, q), flow_jacobian_program(system, q),
                     samples::random_point(system, q, engine));
}

TEST_P(Programs, StageJacobianIsTheDerivativeOfTheStage) {
  std::mt19937_64 engine(29);
  const auto stage = stage_program(system, q);
  ASSERT_EQ(stage.outputs.size(), system.n() + 2 * system.r() + 2);
  expect_derivatives(stage, stage_jacobian_program(system, q), samples::random_point(system, q, engine));
}

TEST_P(Programs, OutputsAreAtThePlacesWhereMethodsReadThem) {
  std::mt19937_64 engine(37);
  const auto point = samples::random_point(system, q, engine);
  const auto laws = balance_laws(system, q);
  const auto stage = stage_program(system, q);
  const auto balance = balance_program(system, q, laws);
  const auto value = [&](const Expr& f) {
    symbolic::Program one = stage;
    one.outputs = {f};
    return at(one, point).front();
  };
  const auto stage_values = at(stage, point);
  const auto balance_values = at(balance, point);
  const integrate::StageOutputs places{system.n(), system.r()};
  ASSERT_EQ(stage_values.size(), places.count(q.m()));
  for (std::size_t i = 0; i < system.n(); ++i) EXPECT_EQ(stage_values[places.x_dot(i)], value(q.x_dot[i]));
  for (std::size_t a = 0; a < system.r(); ++a) EXPECT_EQ(stage_values[places.p(a)], value(q.p[a]));
  for (std::size_t a = 0; a < system.r(); ++a) EXPECT_EQ(stage_values[places.F(a)], value(q.f[a]));
  EXPECT_EQ(stage_values[places.L()], value(q.L));
  EXPECT_EQ(stage_values[places.L_z()], value(q.L_z));
  using integrate::BalanceOutputs;
  ASSERT_EQ(balance_values.size(), BalanceOutputs::count(laws.size()));
  EXPECT_EQ(balance_values[BalanceOutputs::L_z], value(q.L_z));
  for (std::size_t k = 0; k < laws.size(); ++k) {
    EXPECT_EQ(balance_values[BalanceOutputs::quantity(k)], value(laws[k].quantity));
    EXPECT_EQ(balance_values[BalanceOutputs::scale(k)], value(laws[k].scale));
    EXPECT_EQ(balance_values[BalanceOutputs::source(k)], value(laws[k].source));
  }
}

TEST_P(Programs, MassFormAgreesWithTheFlow) {
  std::mt19937_64 engine(31);
  const auto point = samples::random_point(system, q, engine);
  const auto flow = at(flow_program(system, q), point);
  const auto mass = at(mass_program(system, q), point);
  const std::size_t n = system.n();
  const std::size_t r = system.r();
  ASSERT_EQ(mass.size(), n + 1 + r * r + r);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(mass[i], flow[i]);
  EXPECT_EQ(mass[n], flow.back());
  for (std::size_t i = 0; i < r; ++i) {
    double residual = mass[n + 1 + r * r + i];
    for (std::size_t j = 0; j < r; ++j) residual -= mass[n + 1 + i * r + j] * flow[n + j];
    EXPECT_NEAR(residual, 0, 1e-12);
  }
}

TEST_P(Programs, MassJacobianGivesTheFlowJacobian) {
  std::mt19937_64 engine(37);
  const auto point = samples::random_point(system, q, engine);
  const auto flow = at(flow_program(system, q), point);
  const auto jacobian = mass_jacobian_program(system, q);
  const std::size_t n = system.n();
  const std::size_t r = system.r();
  // Variables are (u, w_dot), then the parameters.
  std::vector<double> with_rates(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(q.u.size()));
  for (std::size_t a = 0; a < r; ++a) with_rates.push_back(flow[n + a]);
  with_rates.insert(with_rates.end(), point.begin() + static_cast<std::ptrdiff_t>(q.u.size()), point.end());
  const std::size_t state = q.u.size() - 1;
  std::vector<double> mixed((n + r + 1) * state, 0.0);
  const auto values = at(jacobian.program, with_rates);
  for (std::size_t k = 0; k < values.size(); ++k) mixed[jacobian.row[k] * state + jacobian.col[k]] = values[k];
  const auto reference = flow_jacobian_program(system, q);
  std::vector<double> dense((n + r + 1) * state, 0.0);
  const auto derivatives = at(reference.program, point);
  for (std::size_t k = 0; k < derivatives.size(); ++k)
    dense[reference.row[k] * state + reference.col[k]] = derivatives[k];
  const auto W = at(hessian_program(system, q), point);
  for (std::size_t j = 0; j < state; ++j) {
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(mixed[i * state + j], dense[i * state + j], 1e-12);
    for (std::size_t i = 0; i < r; ++i) {
      double product = 0;
      for (std::size_t k = 0; k < r; ++k) product += W[i * r + k] * dense[(n + k) * state + j];
      EXPECT_NEAR(mixed[(n + i) * state + j], product, 1e-11 * (1 + std::abs(product)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Programs, testing::ValuesIn(samples::every_algebroid()),
                         [](const auto& given) { return given.param.name; });

System oscillator() {
  auto g = std::make_shared<symbolic::Graph>();
  System s = make_system(geometry::tangent(g, {{g->symbol("q")}, {g->symbol("v")}}));
  const Expr m = g->symbol("m");
  s.parameters.push_back({m, 2});
  s.generator = read(*g, "m*v^2/2 - q^2/2 - z/10", {m, g->symbol("q"), g->symbol("v"), s.z});
  return s;
}

// L = sum_i (sum_{k <= i} v_k cos q_k)^2/2 of 40 links: dL is as long as L itself, and not hundreds of products for
// each variable. The derivatives by v are the momenta.
TEST(StageJacobian, HasTheSlopesOfAManyTermedLagrangianInALinearNumberOfOperations) {
  constexpr std::size_t links = 40;
  auto g = std::make_shared<symbolic::Graph>();
  std::vector<std::string> x, v;
  for (std::size_t i = 0; i < links; ++i) {
    x.push_back("q" + std::to_string(i));
    v.push_back("v" + std::to_string(i));
  }
  System s = make_system(geometry::tangent(g, {samples::symbols(*g, x), samples::symbols(*g, v)}));
  s.generator = -s.z / 10;
  for (std::size_t i = 0; i < links; ++i) {
    std::vector<Expr> along;
    for (std::size_t k = 0; k <= i; ++k) along.push_back(s.algebroid.y[k] * cos(s.algebroid.x[k]));
    s.generator += pow(symbolic::sum(along), 2) / 2;
  }
  const Equations q = derive(s);
  const auto jacobian = stage_jacobian_program(s, q);
  constexpr std::size_t row_of_L = 3 * links;
  std::vector<Expr> slopes;
  std::vector<Expr> by_v;
  for (std::size_t k = 0; k < jacobian.row.size(); ++k) {
    if (jacobian.row[k] != row_of_L) continue;
    slopes.push_back(jacobian.program.outputs[k]);
    if (jacobian.col[k] >= links && jacobian.col[k] < 2 * links) by_v.push_back(slopes.back());
  }
  ASSERT_EQ(slopes.size(), 2 * links + 1);
  EXPECT_LT(g->reachable(slopes).size(), 20 * links);
  EXPECT_EQ(jacobian.rows, 3 * links + 2);
  const auto in_order = [&](std::size_t k) {
    return std::pair(jacobian.row[k - 1], jacobian.col[k - 1]) < std::pair(jacobian.row[k], jacobian.col[k]);
  };
  for (std::size_t k = 1; k < jacobian.row.size(); ++k) EXPECT_TRUE(in_order(k)) << k;
  std::mt19937_64 engine(31);
  std::uniform_real_distribution<double> near(-1, 1);
  std::vector<double> point(q.u.size());
  for (double& value : point) value = near(engine);
  const auto values = symbolic::evaluate(by_v, q.u, point);
  const auto momenta = symbolic::evaluate(q.p, q.u, point);
  for (std::size_t a = 0; a < links; ++a) EXPECT_NEAR(values[a], momenta[a], 1e-12 * (1 + std::abs(momenta[a])));
}

TEST(Observables, MayUseMomentaVelocitiesAndTheEnergyInBothFormulations) {
  System lagrangian = oscillator();
  symbolic::Graph& g = lagrangian.graph();
  const Expr speed = lagrangian.algebroid.y[0];
  const Expr doubled = g.let("doubled", 2.0 * lagrangian.p[0]);
  lagrangian.observables = {{"a", doubled + speed}, {"b", lagrangian.energy * lagrangian.t}};
  const auto hamiltonian = legendre_transform(lagrangian);
  ASSERT_TRUE(hamiltonian.has_value());
  const auto value = [](const System& s, const std::vector<double>& point) {
    const auto program = observables_program(s, derive(s));
    std::vector<Expr> names = program.variables;
    names.insert(names.end(), program.parameters.begin(), program.parameters.end());
    return symbolic::evaluate(program.outputs, names, point);
  };
  // q = 1, v = 3 (p = 6), z = 5, t = 2, m = 2: E = 9 + 1/2 + 1/2.
  const auto a = value(lagrangian, {1, 3, 5, 2, 2});
  const auto b = value(*hamiltonian, {1, 6, 5, 2, 2});
  EXPECT_DOUBLE_EQ(a[0], 15);
  EXPECT_DOUBLE_EQ(a[1], 20);
  EXPECT_DOUBLE_EQ(b[0], 15);
  EXPECT_DOUBLE_EQ(b[1], 20);
}

TEST(MakeSystem, RefusesANameThatIsTakenTwice) {
  auto g = std::make_shared<symbolic::Graph>();
  const auto bundle = geometry::tangent(g, {{g->symbol("z")}, {g->symbol("v")}});
  EXPECT_THROW((void)make_system(bundle), std::invalid_argument);
  EXPECT_NO_THROW((void)make_system(bundle, "s"));
  const auto clash = geometry::tangent(g, {{g->symbol("p_v")}, {g->symbol("v")}});
  EXPECT_THROW((void)make_system(clash), std::invalid_argument);
}

TEST(Derive, RefusesForcesOfTheWrongLength) {
  System s = oscillator();
  s.forces.push_back(s.z);
  EXPECT_THROW((void)derive(s), std::invalid_argument);
}

}  // namespace
