// A pulse that begins below the least number moves a body from rest, at the origin and elsewhere, and is not round-off
// to its energy law.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/members.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace {

using namespace herglotz;
using simulate::Settings;
using simulate::Simulator;
using symbolic::Expr;

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
  const Simulator simulator(pulsed(10, 1));
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
       [](std::size_t, const auto& end) { EXPECT_EQ(end.failure, ""); }},
      [] { return true; });
  for (std::size_t k = 0; k < last.size(); ++k)
    EXPECT_EQ(last[k], simulator.run({{"q", start(k)}}, common.settings)["q"].back()) << k;
  EXPECT_NEAR(last[0], 1 + position(10, 10), 1e-6);
}

using Force = std::function<Expr(const mechanics::System& system, const Expr& since)>;

/// q'' = -q - q'/10 + f(t - start).
mechanics::System forced_by(const Force& force) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto q = graph->symbol("q");
  const auto v = graph->symbol("v");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.name = "forced";
  system.parameters = {{graph->symbol("start"), 3.0}, {graph->symbol("width"), 1e-6}};
  const auto since = system.t - system.parameters[0].symbol;
  system.generator = v * v / 2 - q * q / 2 - system.z / 10;
  system.forces[0] = force(system, since);
  return system;
}

Expr width_of(const mechanics::System& system) {
  return system.parameters[1].symbol;
}

// A pulse between two steps of one size is unknown to them and to every law of balance: the run says so.
TEST(Pulses, ThatStepsOfOneSizeMayGoOverAreNamed) {
  Settings settings;
  settings.t_end = 10;
  settings.step = 0.1;
  const auto notes = [&](const char* method, double sharpness) {
    settings.method = method;
    return Simulator(pulsed(sharpness, 0)).run({}, settings).facts.notes;
  };
  for (const char* method : {"contact-gauss-4", "runge-kutta-4", "contact-splitting-2"})
    EXPECT_THAT(notes(method, 1e8), testing::Contains(testing::HasSubstr("a pulse at t = 3 that is 0.0001 wide")))
        << method;
  const auto pulse = testing::Contains(testing::HasSubstr("pulse"));
  EXPECT_THAT(notes("contact-gauss-4", 1 / (0.06 * 0.06)), testing::Not(pulse)) << "wider than half a step";
  EXPECT_THAT(notes("contact-gauss-4", 1 / (0.02 * 0.02)), pulse) << "narrower than half a step";
  EXPECT_THAT(notes("reference", 1e8), testing::Not(pulse)) << "its steps end at the pulse";
  auto system = pulsed(1e8, 0);
  settings.method = "contact-gauss-4";
  settings.time_scale = 1 + system.algebroid.x[0] * system.algebroid.x[0];
  EXPECT_THAT(Simulator(system).run({}, settings).facts.notes, testing::Not(pulse)) << "steps are not those of time";
}

/// q(t) after a pulse at `start` that has no width and this area.
double after_pulse(double area, double t, double start = 3) {
  const double rate = std::sqrt(1 - 0.05 * 0.05);
  return area * std::exp(-0.05 * (t - start)) * std::sin(rate * (t - start)) / rate;
}

/// A pulse with the width of a millionth, its area, and the error that its tails make.
struct Shape {
  const char* name;
  Force force;
  double area;
  double error;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {"Gauss", [](const auto& s, const Expr& u) { return exp(-((u / width_of(s)) * (u / width_of(s)))); },
       std::sqrt(std::numbers::pi) * 1e-6, 1e-6},
      {"Sech", [](const auto& s, const Expr& u) { return 1 / cosh(u / width_of(s)); }, std::numbers::pi * 1e-6, 1e-6},
      {"Lorentz", [](const auto& s, const Expr& u) { return 1 / (1 + (u / width_of(s)) * (u / width_of(s))); },
       std::numbers::pi * 1e-6, 1e-4},
      {"TwoSides", [](const auto& s, const Expr& u) { return exp(-abs(u) / width_of(s)); }, 2e-6, 1e-6},
      {"Steps", [](const auto& s, const Expr& u) { return tanh(u / width_of(s) + 1) - tanh(u / width_of(s) - 1); },
       4e-6, 1e-6},
      {"Window",
       [](const auto& s, const Expr& u) {
         return select(width_of(s), abs(u), s.graph().number(1), s.graph().number(0));
       },
       2e-6, 1e-6},
      {"BetweenInstants",
       [](const auto& s, const Expr& u) {
         const Expr none = s.graph().number(0);
         return select(u, none, select(width_of(s), u, s.graph().number(1), none), none);
       },
       1e-6, 1e-6}};
  return all;
}

class ShortPulse : public testing::TestWithParam<std::tuple<const char*, std::size_t>> {};

// Without rows on its way a run has no other cause to stop near the pulse.
TEST_P(ShortPulse, IsNotSteppedOver) {
  const auto [method, k] = GetParam();
  const Shape& shape = shapes()[k];
  if (std::string(method) == "taylor" && std::string(shape.name) == "Sech")
    GTEST_SKIP() << "cosh is not finite far from the pulse, where the polynomials begin";
  if (std::string(method) == "radau-5" && std::string(shape.name) == "Steps")
    GTEST_SKIP() << "the tails are rounding, for which no step is small enough at the origin";
  const Simulator simulator(forced_by(shape.force));
  Settings settings;
  settings.method = method;
  settings.tolerance = 1e-10;
  settings.t_end = 10;
  for (const double rows : {10.0, 0.01}) {
    settings.output_step = rows;
    for (const double start : {3.0, 1.2345}) {
      const double expected = after_pulse(shape.area, 10, start);
      const auto run = simulator.run({}, settings, {{"start", start}});
      EXPECT_NEAR(run["q"].back(), expected, shape.error * std::abs(expected)) << rows << ", " << start;
      EXPECT_LT(run.facts.largest_energy_residual, 1e-4);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShortPulse,
                         testing::Combine(testing::Values("reference", "taylor", "stiff", "radau-5"),
                                          testing::Range(std::size_t{0}, std::size_t{7})),
                         [](const auto& tested) {
                           const std::string name = std::get<0>(tested.param);
                           return name.substr(0, name.find('-')) + shapes()[std::get<1>(tested.param)].name;
                         });

// Members with pulses at other times than the first one leave their lanes.
TEST(ShortPulse, OfMembersIsThatOfSingleRuns) {
  const Simulator simulator(forced_by(shapes().front().force));
  simulate::Common common;
  common.settings.method = "reference";
  common.settings.tolerance = 1e-9;
  common.settings.t_end = 10;
  common.settings.output_step = 10;
  const simulate::Members members(simulator, common, {{true, "start"}, {true, "width"}});
  std::array<double, 12> last{};
  const auto values = [](std::size_t k, std::span<double> to) {
    to[0] = k % 2 == 0 ? 3 : 1 + 0.5 * static_cast<double>(k);
    to[1] = k % 3 == 0 ? 1e-6 : k % 3 == 1 ? 1e-3 : 2;
  };
  members.run(last.size(), values,
              {[&](std::size_t k, std::size_t, std::span<const double> row) { last[k] = row[1]; },
               [](std::size_t, const auto& end) { EXPECT_EQ(end.failure, ""); }},
              [] { return true; });
  for (std::size_t k = 0; k < last.size(); ++k) {
    std::array<double, 2> own{};
    values(k, own);
    const auto run = simulator.run({}, common.settings, {{"start", own[0]}, {"width", own[1]}});
    EXPECT_EQ(last[k], run["q"].back()) << k;
    if (own[1] == 1e-6) {
      EXPECT_NEAR(last[k], after_pulse(std::sqrt(std::numbers::pi) * 1e-6, 10, own[0]), 1e-11) << k;
    }
  }
}

/// Largest energy residual of a run through the pulse, with a factor of its force in the equations of motion.
double largest_residual(double sharpness, const char* method, double factor, double step) {
  Settings settings;
  settings.method = method;
  settings.t_end = 10;
  settings.step = step;
  auto system = pulsed(sharpness, 0);
  auto equations = mechanics::derive(system);
  for (auto& f : equations.f) f = f * factor;
  for (auto& b : equations.b) b = b * factor;
  return Simulator(system, equations).run({}, settings).facts.largest_energy_residual;
}

// Steps of one size do not follow how a pulse grows from below the least number, and their errors there are as large as
// its terms; beside those of the whole run they are nothing.
TEST(PulsedEnergyInFixedSteps, IsJudgedByTheLargestTermOfTheRun) {
  for (const char* method : {"contact-gauss-4", "contact-gauss-6", "runge-kutta-8"}) {
    EXPECT_LT(largest_residual(1000, method, 1, 0.01), 1e-4) << method;
    EXPECT_GT(largest_residual(1000, method, 1.1, 0.01), 1e-2) << method;  // a wrong force is found
  }
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

INSTANTIATE_TEST_SUITE_P(Sharpness, PulsedEnergy, testing::Values(100, 1000, 10000, 1e6));

}  // namespace
