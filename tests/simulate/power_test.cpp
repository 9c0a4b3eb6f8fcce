// The mechanical energy and the powers that change it, as columns of a run.

#include "herglotz/mechanics/power.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace {

using namespace herglotz;
using symbolic::Expr;
using testing::HasSubstr;

/// L = v^2/2 - (1 + t/10) q^2/2 - gamma z with the force 0.3 cos(t).
mechanics::System driven_oscillator() {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr v = graph->symbol("v");
  const Expr gamma = graph->symbol("gamma");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.name = "driven";
  system.parameters.push_back({gamma, 0.25});
  system.generator = v * v / 2 - (1 + system.t / 10) * q * q / 2 - gamma * system.z;
  system.forces[0] = 0.3 * cos(system.t);
  return system;
}

/// x + y = 1 on the plane, nonholonomic, affine: vx + vy = 1.
mechanics::System sliding() {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr x = graph->symbol("x");
  const Expr y = graph->symbol("y");
  const Expr u = graph->symbol("u");
  const Expr v = graph->symbol("v");
  auto system = mechanics::make_system(geometry::tangent(graph, {{x, y}, {u, v}}));
  system.name = "sliding";
  system.generator = (u * u + v * v) / 2 - x * x - system.z / 5;
  mechanics::constrain(system, mechanics::Rule::nonholonomic, {u + v - 1 - x * v});
  return system;
}

simulate::Settings settings_with(std::vector<std::string> columns) {
  simulate::Settings settings;
  settings.method = "reference";
  settings.tolerance = 1e-12;
  settings.t_end = 2;
  settings.output_step = 1.0 / 512;
  settings.columns = std::move(columns);
  return settings;
}

const std::vector<std::string> all{"mechanical_energy", "power.action", "power.force", "power.constraint",
                                   "power.time"};

/// The largest difference between the rate of the mechanical energy, by central differences, and the sum of the powers.
double largest_gap(const analyse::Trajectory& run) {
  const auto& t = run["t"];
  const auto& energy = run["mechanical_energy"];
  double largest = 0;
  for (std::size_t k = 2; k + 2 < t.size(); ++k) {
    const double h = t[k + 1] - t[k];
    const double rate = (8 * (energy[k + 1] - energy[k - 1]) - (energy[k + 2] - energy[k - 2])) / (12 * h);
    double sum = 0;
    for (std::size_t c = 1; c < all.size(); ++c) sum += run[all[c]][k];
    largest = std::max(largest, std::abs(rate - sum));
  }
  return largest;
}

}  // namespace

TEST(Power, SumsToTheRateOfTheMechanicalEnergy) {
  const auto driven_run = simulate::Simulator(driven_oscillator()).run({{"q", 1}, {"v", 0.4}}, settings_with(all));
  EXPECT_LT(largest_gap(driven_run), 1e-8);
  for (const char* name : {"power.action", "power.force", "power.time"}) EXPECT_NE(driven_run[name].back(), 0) << name;
  EXPECT_EQ(driven_run["power.constraint"].back(), 0);
  const auto sliding_run = simulate::Simulator(sliding()).run({{"x", 0.2}, {"u", 1}}, settings_with(all));
  EXPECT_LT(largest_gap(sliding_run), 1e-8);
  EXPECT_GT(std::abs(sliding_run["power.constraint"].back()), 1e-3);
}

TEST(Power, SumsToItSymbolically) {
  const auto system = driven_oscillator();
  const auto q = mechanics::derive(system);
  const auto ledger = mechanics::power_ledger(system, q);
  const Expr e = ledger.mechanical_energy;
  Expr rest = symbolic::derivative(e, system.algebroid.x[0]) * q.x_dot[0] +
              symbolic::derivative(e, system.algebroid.y[0]) * q.b[0] / q.W(0, 0) + symbolic::derivative(e, system.t) +
              symbolic::derivative(e, system.z) * q.L;
  for (const auto& term : ledger.terms) rest -= term.value;
  EXPECT_TRUE(symbolic::simplify(symbolic::expand(rest)).is_zero());
  EXPECT_FALSE(symbolic::depends_on(e, system.z));
}

TEST(Power, IsThatOfAHamiltonianToo) {
  auto system = driven_oscillator();
  system.formulation = mechanics::Formulation::hamiltonian;
  const Expr p = system.p[0];
  const Expr x = system.algebroid.x[0];
  system.generator = p * p / 2 + (1 + system.t / 10) * x * x / 2 + system.parameters[0].symbol * system.z;
  const auto run = simulate::Simulator(system).run({{"q", 1}, {"p_v", 0.4}}, settings_with(all));
  EXPECT_LT(largest_gap(run), 1e-8);
  const auto same = simulate::Simulator(driven_oscillator()).run({{"q", 1}, {"v", 0.4}}, settings_with(all));
  for (const auto& name : all) EXPECT_NEAR(run[name].back(), same[name].back(), 1e-10) << name;
}

TEST(Power, IsComputedOnDemandOnly) {
  const simulate::Simulator simulator(driven_oscillator());
  EXPECT_EQ(simulator.run({{"q", 1}}, settings_with({})).find("mechanical_energy"), nullptr);
  const auto run = simulator.run({{"q", 1}}, settings_with({"power.force"}));
  EXPECT_EQ(run.find("mechanical_energy"), nullptr);
  EXPECT_NE(run.find("power.force"), nullptr);
  try {
    (void)simulator.run({{"q", 1}}, settings_with({"power.forces"}));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::invalid_argument& e) {
    EXPECT_THAT(e.what(), HasSubstr("did you mean power.force"));
  }
}

TEST(Power, IsRefusedWhereTheActionCannotBeSplitOff) {
  auto system = driven_oscillator();
  system.generator = system.generator - system.algebroid.y[0] * system.z;
  const simulate::Simulator simulator(system);
  EXPECT_THROW((void)simulator.run({{"q", 1}}, settings_with({"mechanical_energy"})), std::invalid_argument);
}
