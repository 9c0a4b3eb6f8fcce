// A pulse that begins below the least number moves a body from rest, at the origin and elsewhere, and is no round-off
// to its energy law.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <tuple>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/members.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace {

using namespace herglotz;
using simulate::Settings;
using simulate::Simulator;

/// q'' = -(q - rest) - q'/10 + exp(-sharpness (t - 3)^2).
mechanics::System pulsed(double sharpness, double rest) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto q = graph->symbol("q");
  const auto v = graph->symbol("v");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.name = "pulsed";
  const auto since = system.t - 3.0;
  system.generator = v * v / 2 - (q - rest) * (q - rest) / 2 + q * exp(-sharpness * (since * since)) - system.z / 10;
  return system;
}

/// q(t) - rest by Green's function; the trapezoidal rule is exact to rounding for a pulse that vanishes at its ends.
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

class Pulse : public testing::TestWithParam<std::tuple<const char*, double>> {};

TEST_P(Pulse, MovesABodyFromRest) {
  const auto [method, rest] = GetParam();
  Settings settings;
  settings.method = method;
  settings.tolerance = 1e-10;
  settings.t_end = 10;
  for (const double sharpness : {100.0, 1000.0, 10000.0}) {
    const auto run = Simulator(pulsed(sharpness, rest)).run({{"q", rest}, {"v", 0.0}}, settings);
    const double expected = position(sharpness, 10);
    const double error = 1e-7 * (std::abs(expected) + std::abs(rest));
    EXPECT_NEAR(run["q"].back(), rest + expected, error) << "sharpness " << sharpness;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Pulse,
                         testing::Combine(testing::Values("reference", "taylor", "stiff", "radau-5"),
                                          testing::Values(0.0, 1.0, -3e4)),
                         [](const auto& tested) {
                           const std::string name = std::get<0>(tested.param);
                           const double rest = std::get<1>(tested.param);
                           return name.substr(0, name.find('-')) + (rest == 0 ? "0" : rest > 0 ? "Right" : "FarLeft");
                         });

// Members rest at places of their own, so that lanes move at times of their own.
TEST(PulseInLanes, HasTheBitsOfSingleRuns) {
  const Simulator simulator(pulsed(1000, 1));
  simulate::Common common;
  common.settings.method = "radau-5";
  common.settings.tolerance = 1e-8;
  common.settings.t_end = 10;
  const simulate::Members members(simulator, common, {{false, "q"}});
  std::array<double, 11> last{};
  const auto start = [](std::size_t k) { return k % 3 == 0 ? 1.0 : 1 + 1e-3 * static_cast<double>(k); };
  members.run(
      last.size(), [&](std::size_t k, std::span<double> varying) { varying[0] = start(k); },
      {[&](std::size_t k, std::size_t, std::span<const double> row) { last[k] = row[1]; },
       [](std::size_t, std::size_t, std::size_t, const std::string& failure) { EXPECT_EQ(failure, ""); }},
      [] { return true; });
  for (std::size_t k = 0; k < last.size(); ++k)
    EXPECT_EQ(last[k], simulator.run({{"q", start(k)}}, common.settings)["q"].back()) << k;
  EXPECT_NEAR(last[0], 1 + position(1000, 10), 1e-6);
}

class PulsedEnergy : public testing::TestWithParam<double> {};

TEST_P(PulsedEnergy, IsNotTakenForRoundOff) {
  Settings settings;
  settings.method = "reference";
  settings.tolerance = 1e-10;
  settings.t_end = 10;
  const auto run = Simulator(pulsed(GetParam(), 0)).run({}, settings);
  EXPECT_TRUE(run.facts.at_round_off.empty()) << "from t = " << run.facts.at_round_off.front().second;
  EXPECT_GT(run.facts.largest_energy_residual, 0);
  EXPECT_LT(run.facts.largest_energy_residual, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Sharpness, PulsedEnergy, testing::Values(100, 1000));

}  // namespace
