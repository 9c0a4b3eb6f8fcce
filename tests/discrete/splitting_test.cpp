#include "herglotz/discrete/splitting.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::discrete {
namespace {

/// L = v^2/2 - U(q, z, t) with a parameter a.
struct Particle {
  std::shared_ptr<symbolic::Graph> graph = std::make_shared<symbolic::Graph>();
  Expr q = graph->symbol("q");
  Expr v = graph->symbol("v");
  Expr a = graph->symbol("a");
  mechanics::System system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));

  Particle() { system.parameters.push_back({a, 0.25}); }

  /// (dq, dp, dz, d log R) of a step of size h from (q, p, z, t).
  std::vector<double> step(const ExplicitPrograms& programs, std::vector<double> state, double h, double a_value) {
    const std::vector<Expr> symbols{programs.prepare.variables[0], a};
    const std::vector<double> values{h, a_value};
    const auto constants = symbolic::evaluate(programs.prepare.outputs, symbols, values);
    state.push_back(h);
    state.insert(state.end(), constants.begin(), constants.end());
    state.push_back(a_value);
    auto inputs = programs.step.variables;
    inputs.push_back(a);
    return symbolic::evaluate(programs.step.outputs, inputs, state);
  }
  ExplicitPrograms splitting(Expr U) {
    system.generator = v * v / 2 - U;
    return splitting_step(system, split(system));
  }
};

TEST(Splitting, DividesAHamiltonianByWhatItsTermsDependOn) {
  Particle particle;
  const Expr q = particle.q;
  particle.system.generator = (particle.v * particle.v - q * q * particle.a) / 2 - particle.system.z;
  const auto parts = split(particle.system);
  const Expr p = particle.system.p[0];
  const std::vector<Expr> symbols{p, q, particle.system.z, particle.a};
  const std::vector<double> values{0.3, 0.7, 0.2, 0.5};
  EXPECT_DOUBLE_EQ(symbolic::evaluate(parts.T, symbols, values), 0.045);
  EXPECT_DOUBLE_EQ(symbolic::evaluate(parts.U, symbols, values), 0.1225 + 0.2);
  EXPECT_FALSE(symbolic::depends_on(parts.T, q));
  EXPECT_FALSE(symbolic::depends_on(parts.U, p));
}

/// T = p.W^-1.p/2 by the momenta p = W v of some velocities: it equals v.W.v/2.
void expect_kinetic_energy(const std::vector<double>& coupling) {
  constexpr std::size_t n = 20;
  auto graph = std::make_shared<symbolic::Graph>();
  geometry::Coordinates coordinates;
  for (std::size_t i = 0; i < n; ++i) {
    coordinates.x.push_back(graph->symbol("q" + std::to_string(i)));
    coordinates.y.push_back(graph->symbol("v" + std::to_string(i)));
  }
  const Expr m = graph->symbol("m");
  mechanics::System system = mechanics::make_system(geometry::tangent(graph, coordinates));
  system.parameters.push_back({m, 2.0});
  Expr kinetic = graph->number(std::int64_t{0});
  for (std::size_t i = 0; i < n; ++i) {
    kinetic += m * coordinates.y[i] * coordinates.y[i] / 2.0;
    for (std::size_t k = 1; k < coupling.size() && k <= i; ++k)
      kinetic += graph->real(coupling[k]) * coordinates.y[i] * coordinates.y[i - k];
  }
  system.generator = kinetic - system.z;
  const auto parts = split(system);
  std::vector<double> v;
  for (std::size_t i = 0; i < n; ++i) v.push_back(std::sin(static_cast<double>(i) + 1.0));
  std::vector<Expr> symbols = coordinates.y;
  symbols.push_back(m);
  std::vector<double> values = v;
  values.push_back(2.0);
  const double expected = symbolic::evaluate(kinetic, symbols, values);
  std::vector<double> p = symbolic::evaluate(symbolic::gradient(kinetic, coordinates.y), symbols, values);
  p.push_back(2.0);
  symbols = system.p;
  symbols.push_back(m);
  EXPECT_NEAR(symbolic::evaluate(parts.T, symbols, p), expected, 1e-12 * expected);
}

TEST(Splitting, TakesMassMatricesOfEverySize) {
  expect_kinetic_energy({2.0});
  expect_kinetic_energy({2.0, 0.5});
  expect_kinetic_energy({2.0, 0.3, -0.2});
}

TEST(Splitting, FollowsLinearFrictionExactlyAtRest) {
  Particle particle;
  const auto programs = particle.splitting(particle.a * particle.system.z + 3.0);
  for (const double a : {0.0, 1e-14, 0.25, 3.0}) {
    const auto step = particle.step(programs, {0.4, 0.0, 0.2, 0.0}, 0.5, a);
    const double quotient = a == 0 ? -0.5 : std::expm1(-a * 0.5) / a;
    EXPECT_EQ(step[0], 0);
    EXPECT_EQ(step[1], 0);
    EXPECT_NEAR(step[2], quotient * (a * 0.2 + 3), 1e-15);
    EXPECT_DOUBLE_EQ(step[3], a * 0.5);
  }
}

// z' = -z^2 has z(h) = z/(1 + h z), whose derivative is the conformal factor.
TEST(Splitting, FollowsNonlinearFrictionToOrderEightWithItsExactDerivative) {
  Particle particle;
  const auto programs = particle.splitting(particle.system.z * particle.system.z);
  double coarse = 0;
  for (const double h : {0.4, 0.2}) {
    const double z = 0.8;
    const auto step = particle.step(programs, {0.4, 0.0, z, 0.0}, h, 0);
    const double error = std::abs(z + step[2] - z / (1 + h * z));
    EXPECT_LT(error, 1e-6);
    if (coarse > 0) {
      EXPECT_GT(std::log2(coarse / error), 8);
    }
    coarse = error;
    const double d = 1e-4;
    const double slope = (particle.step(programs, {0.4, 0.0, z + d, 0.0}, h, 0)[2] -
                          particle.step(programs, {0.4, 0.0, z - d, 0.0}, h, 0)[2]) /
                         (2 * d);
    EXPECT_NEAR(std::exp(-step[3]), 1 + slope, 1e-8);
  }
}

TEST(Splitting, LeavesNothingToTheStepThatDependsOnItsSizeAlone) {
  Particle particle;
  const auto programs = particle.splitting(particle.a * particle.system.z + particle.q * particle.q / 2);
  EXPECT_GT(programs.constants, 0u);
  EXPECT_EQ(programs.prepare.outputs.size(), programs.constants);
  for (const auto id : particle.graph->reachable(programs.step.outputs)) {
    EXPECT_NE(particle.graph->op(id), symbolic::Op::exp);
    EXPECT_NE(particle.graph->op(id), symbolic::Op::select);
  }
}

TEST(Verlet, IsThereWhereTheActionEntersAffinely) {
  Particle particle;
  const Expr z = particle.system.z;
  const auto verlet = [&](Expr U) {
    particle.system.generator = particle.v * particle.v / 2 - U;
    return verlet_step(particle.system, split(particle.system));
  };
  EXPECT_TRUE(verlet(particle.a * z + cos(particle.q)));
  EXPECT_FALSE(verlet(particle.a * z * z + cos(particle.q)));
}

// The discrete Herglotz equations of the trapezoidal discrete Lagrangian [ASMLL20, Eqs. 39-41], [VBS19].
TEST(Verlet, SolvesTheDiscreteHerglotzEquations) {
  Particle particle;
  const Expr z = particle.system.z;
  const double a = 0.25;
  const double h = 0.3;
  particle.system.generator =
      particle.v * particle.v / 2 - sin(particle.q) * particle.a * z - particle.system.t * particle.q;
  const auto programs = verlet_step(particle.system, split(particle.system));
  ASSERT_TRUE(programs);
  const double q0 = 0.7, p0 = -0.4, z0 = 0.2, t0 = 0.1;
  const auto step = particle.step(*programs, {q0, p0, z0, t0}, h, a);
  const double q1 = q0 + step[0], z1 = z0 + step[2], t1 = t0 + h;
  const double v = step[0] / h;
  const auto U = [&](double q, double action, double t) { return a * std::sin(q) * action + t * q; };
  const auto U_q = [&](double q, double action, double t) { return a * std::cos(q) * action + t; };
  EXPECT_NEAR(step[2], h * v * v / 2 - h / 2 * (U(q0, z0, t0) + U(q1, z1, t1)), 1e-15);
  const double left = 1 - h / 2 * a * std::sin(q0);   // 1 + D_z0 ell
  const double right = 1 + h / 2 * a * std::sin(q1);  // 1 - D_z1 ell
  EXPECT_NEAR(p0, (v + h / 2 * U_q(q0, z0, t0)) / left, 1e-14);
  EXPECT_NEAR(p0 + step[1], (v - h / 2 * U_q(q1, z1, t1)) / right, 1e-15);
  EXPECT_NEAR(step[3], -std::log(left / right), 1e-15);
}

}  // namespace
}  // namespace herglotz::discrete
