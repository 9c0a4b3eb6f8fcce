// A pulse that begins below the least number moves a body from rest, and is no round-off to its energy law.

#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace {

using namespace herglotz;
using simulate::Settings;
using simulate::Simulator;

/// q'' = -q - q'/10 + exp(-sharpness (t - 3)^2).
mechanics::System pulsed(double sharpness) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto q = graph->symbol("q");
  const auto v = graph->symbol("v");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.name = "pulsed";
  const auto since = system.t - 3.0;
  system.generator = v * v / 2 - q * q / 2 + q * exp(-sharpness * (since * since)) - system.z / 10;
  return system;
}

/// q(t) from rest by Green's function; the trapezoidal rule is exact to rounding for a pulse that vanishes at its ends.
double position(double sharpness, double t) {
  constexpr double damping = 0.05;
  const double rate = std::sqrt(1 - damping * damping);
  constexpr int points = 20000;
  constexpr double reach = 2;
  double sum = 0;
  for (int k = -points; k <= points; ++k) {
    const double since = reach * k / points;
    const double left = t - 3 - since;
    sum += std::exp(-sharpness * since * since) * std::exp(-damping * left) * std::sin(rate * left) / rate;
  }
  return sum * reach / points;
}

class Pulse : public testing::TestWithParam<const char*> {};

TEST_P(Pulse, MovesABodyFromRest) {
  Settings settings;
  settings.method = GetParam();
  settings.tolerance = 1e-10;
  settings.t_end = 10;
  for (const double sharpness : {100.0, 1000.0, 10000.0}) {
    const auto run = Simulator(pulsed(sharpness)).run({}, settings);
    const double expected = position(sharpness, 10);
    EXPECT_NEAR(run["q"].back(), expected, 1e-7 * std::abs(expected)) << "sharpness " << sharpness;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Pulse, testing::Values("reference", "taylor", "stiff", "radau-5"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           return name.substr(0, name.find('-'));
                         });

TEST(PulsedEnergy, IsNotTakenForRoundOff) {
  Settings settings;
  settings.method = "reference";
  settings.tolerance = 1e-10;
  settings.t_end = 10;
  const auto run = Simulator(pulsed(100)).run({}, settings);
  EXPECT_TRUE(run.facts.at_round_off.empty()) << "from t = " << run.facts.at_round_off.front().second;
  EXPECT_GT(run.facts.largest_energy_residual, 0);
  EXPECT_LT(run.facts.largest_energy_residual, 1e-9);
}

}  // namespace
