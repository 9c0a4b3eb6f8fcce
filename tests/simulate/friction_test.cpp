#include "herglotz/mechanics/events/friction.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <tuple>

#include "herglotz/error.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/linearise.hpp"
#include "herglotz/simulate/members.hpp"
#include "herglotz/simulate/reduce.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "herglotz/simulate/stepper.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "message_of.hpp"
#include "run_settings.hpp"

namespace {

using namespace herglotz;
using simulate::Settings;
using simulate::Simulator;
using symbolic::Expr;

/// A velocity and the forces of friction on it.
struct Dry {
  std::string on = "v";
  std::string held = "0.4";
  std::string slid = "0.3";
};

void rub(mechanics::System& system, const std::string& name, const Dry& dry) {
  const auto& e = system.algebroid;
  symbolic::Scope scope{{"z", system.z}, {"t", system.t}};
  for (const auto* list : {&e.x, &e.y})
    for (const Expr& symbol : *list) scope.emplace(std::string(symbol.name()), symbol);
  mechanics::Friction friction;
  friction.name = name;
  friction.on = symbolic::parse(*e.graph, dry.on, scope);
  friction.held = symbolic::parse(*e.graph, dry.held, scope);
  friction.slid = symbolic::parse(*e.graph, dry.slid, scope);
  friction.normal = e.graph->number(1);
  mechanics::add_friction(system, std::move(friction));
}

/// A body on a line with friction.
mechanics::System body_on_line(const std::string& lagrangian, const Dry& dry) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr v = graph->symbol("v");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.generator = symbolic::parse(*graph, lagrangian, {{"q", q}, {"v", v}, {"z", system.z}, {"t", system.t}});
  rub(system, "floor", dry);
  return system;
}

constexpr double gravity = 9.81;

/// A body that slides on an incline, with coefficients 0.4 and 0.3.
mechanics::System incline(double angle) {
  const std::string at = "(" + std::to_string(angle) + ")";
  return body_on_line("v^2/2 - 9.81*q*sin" + at, {"v", "0.4*9.81*cos" + at, "0.3*9.81*cos" + at});
}

TEST(Friction, ABodySlidesToRestOnAnInclineAtItsTimeAndPlace) {
  const double angle = 0.25;  // tan = 0.255 is below the static coefficient
  const double pull = gravity * std::sin(angle);
  const double brake = pull + 0.3 * gravity * std::cos(angle);
  const double time = 2 / brake;
  const double place = 2 / brake;  // v^2/(2 a) with v = 2
  const Simulator simulator(incline(angle));
  for (const std::string method : {"reference", "radau-5", "stiff", "contact-gauss-4"}) {
    const bool adaptive = integrate::find_method(method)->adaptive;
    auto settings = test::run_settings(method, 3, adaptive ? 1e-12 : 0.3);
    settings.columns = {"t",           "q",          "v", "mode.floor", "friction.floor", "mechanical_energy",
                        "power.floor", "power.force"};
    const auto run = simulator.run({{"q", 0}, {"v", 2}}, settings);
    EXPECT_NEAR(run["q"].back(), place, method == "reference" ? 1e-13 : 1e-10) << method;
    EXPECT_NEAR(run["v"].back(), 0, 1e-15) << method;
    for (std::size_t k = 0; k < run.rows(); ++k) {
      const double t = run["t"][k];
      const bool slides = t < time;
      EXPECT_EQ(run["mode.floor"][k], slides ? 1 : 0) << t;
      EXPECT_NEAR(run["friction.floor"][k], slides ? -(brake - pull) : pull, 1e-10) << t;
      EXPECT_NEAR(run["power.floor"][k], run["friction.floor"][k] * run["v"][k], 1e-12) << t;
      EXPECT_EQ(run["power.force"][k], 0);
    }
    EXPECT_LT(run.facts.largest_energy_residual, 1e-12) << method;
    EXPECT_THAT(run.facts.notes,
                testing::Contains(testing::HasSubstr("the friction on 'v' sticks 1 time, first from t = 0.37")));
  }
}

TEST(Friction, ASteepInclineIsNoPlaceToRest) {
  const double angle = 0.5;  // tan = 0.546
  const double up = gravity * (std::sin(angle) + 0.3 * std::cos(angle));
  const double down = gravity * (std::sin(angle) - 0.3 * std::cos(angle));
  const Simulator simulator(incline(angle));
  const auto run = simulator.run({{"q", 0}, {"v", 2}}, test::run_settings("reference", 3, 1e-12));
  const double left = 3 - 2 / up;
  EXPECT_NEAR(run["q"].back(), 2 / up - down * left * left / 2, 1e-11);
  EXPECT_NEAR(run["v"].back(), -down * left, 1e-12);
  EXPECT_EQ(run["mode.floor"].back(), -1);
  EXPECT_LT(run.facts.largest_energy_residual, 1e-12);
  const auto slips = simulator.run({{"q", 0}, {"v", 0}}, test::run_settings("reference", 3, 1e-12));
  EXPECT_NEAR(slips["q"].back(), -down * 4.5, 1e-11);
  EXPECT_EQ(slips["mode.floor"].front(), -1);
}

TEST(Friction, ABodyAtRestThatIsHeldStays) {
  const auto run = Simulator(incline(0.25)).run({{"q", 0}, {"v", 0}}, test::run_settings("reference", 3, 1e-12));
  EXPECT_EQ(run["q"].back(), 0);
  EXPECT_EQ(run["v"].back(), 0);
  for (const double force : run["friction.floor"]) EXPECT_NEAR(force, gravity * std::sin(0.25), 1e-13);
}

// Sizes of a state that is exactly 0 are not a scale for rounding: the force that holds cancels the load to the last
// bit.
TEST(Friction, ABodyAtRestAtTheOriginIsHeldAgainstAVaryingLoadWhateverItsMass) {
  for (const char* mass : {"0.7", "1.3", "3.1", "1e-27", "1e25"}) {
    const Simulator simulator(body_on_line(std::string(mass) + "*v^2/2 + q*sin(3*t)/3", {}));
    for (const char* method : {"reference", "taylor", "radau-5"}) {
      SCOPED_TRACE(std::string(method) + ", m = " + mass);
      const auto run = simulator.run({{"q", 0}, {"v", 0}}, test::run_settings(method, 3, 1e-12));
      EXPECT_EQ(run["t"].back(), 3);
      EXPECT_EQ(run["q"].back(), 0);
      EXPECT_EQ(run["v"].back(), 0);
      EXPECT_EQ(run.facts.largest_energy_residual, 0);
      for (std::size_t k = 0; k < run["t"].size(); ++k)
        EXPECT_NEAR(run["friction.floor"][k], -std::sin(3 * run["t"][k]) / 3, 1e-15);
    }
  }
}

/// A block on a belt of velocity 0.2, held by a spring: m = 1, k = 4.
mechanics::System belt(const std::string& held, const std::string& slid) {
  return body_on_line("v^2/2 - 2*q^2", {"v - 0.2", held, slid});
}

/// The period of stick and slip with the forces 0.8 and 0.5.
double stick_slip() {
  const double overshoot = (0.8 - 0.5) / 4;
  return std::numbers::pi - std::atan(overshoot * 2 / 0.2) + 2 * overshoot / 0.2;
}

TEST(Friction, ABlockOnABeltHasThePeriodOfStickSlip) {
  auto system = belt("0.8", "0.5");
  system.events.push_back({"falls", system.algebroid.x[0] - 0.125, mechanics::Direction::falling});
  Settings settings = test::run_settings("reference", 12 * stick_slip(), 1e-13);
  settings.columns = {"power.floor", "power.constraint", "power.force", "power.time", "power.action"};
  const auto run = Simulator(system).run({{"q", 0}, {"v", 0.2}}, settings);
  const auto& times = run.events[0].columns[0].values;
  ASSERT_GE(times.size(), 11U);
  for (std::size_t k = 1; k < times.size(); ++k) EXPECT_NEAR(times[k] - times[k - 1], stick_slip(), 1e-11) << k;
  EXPECT_LT(run.facts.largest_energy_residual, 1e-12);
  std::size_t sticking = 0;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    const double force = run["friction.floor"][k];
    EXPECT_NEAR(run["power.floor"][k], force * run["v"][k], 1e-13);
    if (run["mode.floor"][k] != 0) {
      EXPECT_EQ(force, -0.5 * run["mode.floor"][k]);
      continue;
    }
    ++sticking;
    EXPECT_NEAR(run["v"][k], 0.2, 1e-13);
    EXPECT_NEAR(force, 4 * run["q"][k], 1e-12);
    EXPECT_LE(std::abs(force), 0.8 * (1 + 1e-12));
  }
  EXPECT_GT(sticking, run.rows() / 5);
}

TEST(Friction, FixedStepMethodsKeepTheirOrder) {
  const double t_end = 2.3 * stick_slip();
  const Simulator simulator(belt("0.8", "0.5"));
  const auto exact = simulator.run({{"q", 0}, {"v", 0.2}}, test::run_settings("reference", t_end, 1e-13));
  for (const auto& [method, order, step] :
       {std::tuple{"contact-gauss-4", 4, 0.3}, {"contact-gauss-6", 6, 0.3}, {"runge-kutta-4", 4, 0.1}}) {
    const auto error = [&](double h) {
      const auto run = simulator.run({{"q", 0}, {"v", 0.2}}, test::run_settings(method, t_end, h));
      return std::abs(run["q"].back() - exact["q"].back()) + std::abs(run["v"].back() - exact["v"].back());
    };
    const double coarse = error(step);
    const double fine = error(step / 3);
    EXPECT_NEAR(std::log(coarse / fine) / std::log(3.0), order, 0.2) << method << " " << coarse << " " << fine;
  }
}

TEST(Friction, EqualForcesEndInSteadySliding) {
  const auto run =
      Simulator(belt("0.6", "0.6")).run({{"q", 0}, {"v", 0.2}}, test::run_settings("reference", 20, 1e-12));
  const double t = 20 - 0.15 / 0.2;  // the force reaches its limit at q = 0.15
  EXPECT_NEAR(run["q"].back(), 0.15 + 0.1 * std::sin(2 * t), 1e-6);
}

TEST(Friction, ForcesMayDependOnTheSizeOfTheVelocity) {
  // v' = -(0.3 + 0.1 |v|) sign(v) is at rest after 10 log(1 + v0/3), and the static force is that of rest.
  const auto run = Simulator(body_on_line("v^2/2", {"v", "0.4 + 0.1*abs(v)", "0.3 + 0.1*abs(v)"}))
                       .run({{"q", 0}, {"v", -2}}, test::run_settings("reference", 8, 1e-13));
  const double time = 10 * std::log(5.0 / 3);
  EXPECT_NEAR(run["q"].back(), -(10 * 2 - 3 * time), 1e-11);
  EXPECT_THAT(run.facts.notes, testing::Contains(testing::HasSubstr("sticks 1 time, first from t = 5.10825624")));
}

TEST(Friction, DissipationByTheActionGoesOnBesideIt) {
  // v' = -v/4 - 0.3 from v = 1, with the energy law of the action.
  const auto run =
      Simulator(body_on_line("v^2/2 - z/4", {})).run({{"q", 0}, {"v", 1}}, test::run_settings("reference", 4, 1e-13));
  const double time = 4 * std::log(1 + 1 / 1.2);
  EXPECT_NEAR(run["q"].back(), 4 * (1 - 0.3 * time), 1e-12);
  EXPECT_LT(run.facts.largest_energy_residual, 1e-12);
}

TEST(Friction, BodiesStickToEachOtherAndToTheFloor) {
  // Masses 1 and 2: the upper one slides on the lower one, and both stop together on the floor.
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr x = graph->symbol("x");
  const Expr v = graph->symbol("v");
  const Expr w = graph->symbol("w");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q, x}, {v, w}}));
  system.generator = v * v / 2 + w * w;
  rub(system, "bodies", {"v - w", "1", "1"});
  rub(system, "floor", {"w", "0.3", "0.3"});
  const auto run =
      Simulator(system).run({{"q", 0}, {"x", 0}, {"v", 1}, {"w", 0}}, test::run_settings("reference", 6, 1e-13));
  // w' = 0.35 and v' = -1 until they meet at t1 = 1/1.35; then both slow down by 0.1.
  const double meet = 1 / 1.35;
  const double common = 0.35 * meet;
  EXPECT_NEAR(run["x"].back(), common * meet / 2 + common * common / 0.2, 1e-12);
  EXPECT_NEAR(run["v"].back(), 0, 1e-14);
  EXPECT_EQ(run["mode.bodies"].back(), 0);
  EXPECT_EQ(run["mode.floor"].back(), 0);
  EXPECT_NEAR(run["friction.floor"].back(), 0, 1e-14);
  EXPECT_LT(run.facts.largest_energy_residual, 1e-12);
}

// Accelerations from rest are the least of (m a1^2 + M a2^2)/2 - F1 a1 - F2 a2 + s1 |a1 - a2| + s2 |a2|, which is
// strictly convex [Mor88]: one of its pieces or one of their borders.
std::array<double, 2> from_rest(double m, double M, const std::array<double, 2>& F, const std::array<double, 2>& s) {
  std::array<double, 2> best{};
  double least = 0;
  const auto offer = [&](double a1, double a2) {
    const double value =
        (m * a1 * a1 + M * a2 * a2) / 2 - F[0] * a1 - F[1] * a2 + s[0] * std::abs(a1 - a2) + s[1] * std::abs(a2);
    if (value < least) {
      least = value;
      best = {a1, a2};
    }
  };
  for (const double i : {-1.0, 1.0})
    for (const double j : {-1.0, 1.0}) {
      offer((F[0] - i * s[0]) / m, (F[1] + i * s[0] - j * s[1]) / M);
      offer((F[0] - i * s[0]) / m, 0);
      const double together = (F[0] + F[1] - j * s[1]) / (m + M);
      offer(together, together);
    }
  return best;
}

/// Bodies in a row under loads that vary, each with friction on the next one, and the last one on the floor.
mechanics::System row_of(const std::vector<double>& masses, const std::vector<std::string>& loads,
                         const std::vector<std::array<double, 2>>& bounds) {
  auto graph = std::make_shared<symbolic::Graph>();
  std::vector<Expr> x;
  std::vector<Expr> v;
  for (std::size_t k = 0; k < masses.size(); ++k) {
    x.push_back(graph->symbol(fmt::format("x{}", k)));
    v.push_back(graph->symbol(fmt::format("v{}", k)));
  }
  auto system = mechanics::make_system(geometry::tangent(graph, {x, v}));
  system.generator = graph->number(0);
  for (std::size_t k = 0; k < masses.size(); ++k)
    system.generator +=
        graph->number(masses[k] / 2) * v[k] * v[k] + symbolic::parse(*graph, loads[k], {{"t", system.t}}) * x[k];
  for (std::size_t k = 0; k < masses.size(); ++k) {
    const std::string on = k + 1 < masses.size() ? fmt::format("v{} - v{}", k, k + 1) : fmt::format("v{}", k);
    rub(system, fmt::format("f{}", k), {on, fmt::format("{}", bounds[k][0]), fmt::format("{}", bounds[k][1])});
  }
  return system;
}

simulate::InitialState at_rest(std::size_t bodies) {
  simulate::InitialState result;
  for (std::size_t k = 0; k < bodies; ++k) {
    result[fmt::format("x{}", k)] = 0;
    result[fmt::format("v{}", k)] = 0;
  }
  return result;
}

TEST(Friction, BodiesAtRestFindTogetherWhichOfThemSlip) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> size(0.1, 2);
  std::uniform_real_distribution<double> load(-3, 3);
  for (int trial = 0; trial < 24; ++trial) {
    const std::array masses{size(engine), size(engine)};
    const std::array loads{load(engine), load(engine)};
    const std::array bounds{size(engine), size(engine)};
    const Simulator simulator(row_of({masses[0], masses[1]}, {fmt::format("{}", loads[0]), fmt::format("{}", loads[1])},
                                     {{bounds[0], bounds[0]}, {bounds[1], bounds[1]}}));
    const auto run = simulator.run(at_rest(2), test::run_settings("reference", 1, 1e-12));
    const auto expected = from_rest(masses[0], masses[1], loads, bounds);
    EXPECT_NEAR(run["v0"].back(), expected[0], 1e-12 * (1 + std::abs(expected[0]))) << trial;
    EXPECT_NEAR(run["v1"].back(), expected[1], 1e-12 * (1 + std::abs(expected[1]))) << trial;
  }
}

// Coulomb's law of each friction, in every row: one that slips acts against its slip with the kinetic force, and one
// that sticks has no more than the static force. No friction feeds in energy.
TEST(Friction, BodiesInARowUnderVaryingLoadsObeyCoulombsLawEach) {
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> size(0.1, 2);
  constexpr std::size_t bodies = 3;
  for (int trial = 0; trial < 12; ++trial) {
    std::vector<double> masses;
    std::vector<std::string> loads;
    std::vector<std::array<double, 2>> bounds;
    for (std::size_t k = 0; k < bodies; ++k) {
      masses.push_back(size(engine));
      loads.push_back(fmt::format("{}*cos({}*t + {})", 2 * size(engine), size(engine), 3 * size(engine)));
      const double held = size(engine);
      bounds.push_back({held, trial % 2 == 0 ? held : 0.6 * held});
    }
    const Simulator simulator(row_of(masses, loads, bounds));
    const auto reference = simulator.run(at_rest(bodies), test::run_settings("reference", 6, 1e-12));
    for (const std::string method : {"reference", "radau-5", "runge-kutta-4", "contact-gauss-4"}) {
      SCOPED_TRACE(fmt::format("trial {}, {}", trial, method));
      const bool adaptive = integrate::find_method(method)->adaptive;
      const auto run = simulator.run(at_rest(bodies), test::run_settings(method, 6, adaptive ? 1e-10 : 0.05));
      ASSERT_NEAR(run["t"].back(), 6, 1e-12);
      for (std::size_t row = 0; row < run.rows(); ++row)
        for (std::size_t k = 0; k < bodies; ++k) {
          const double next = k + 1 < bodies ? run[fmt::format("v{}", k + 1)][row] : 0;
          const double slip = run[fmt::format("v{}", k)][row] - next;
          const double force = run[fmt::format("friction.f{}", k)][row];
          const double mode = run[fmt::format("mode.f{}", k)][row];
          if (mode == 0) {
            EXPECT_NEAR(slip, 0, 1e-9) << row;
            EXPECT_LE(std::abs(force), bounds[k][0] * (1 + 1e-9)) << row;
          } else {
            EXPECT_GE(mode * slip, -1e-9) << row;
            EXPECT_NEAR(force, -mode * bounds[k][1], 1e-12) << row;
          }
        }
      for (std::size_t k = 0; k < bodies; ++k) EXPECT_LE(run[fmt::format("work.f{}", k)].back(), 1e-12);
      for (std::size_t k = 0; k < bodies; ++k) {
        const std::string name = fmt::format("v{}", k);
        EXPECT_NEAR(run[name].back(), reference[name].back(), adaptive ? 1e-8 : 1e-4) << k;
      }
      if (adaptive) {
        EXPECT_LT(run.facts.largest_energy_residual, 1e-11);
      }
    }
  }
}

TEST(Friction, MembersOfEnsemblesAreTheRunsAlone) {
  const Simulator simulator(incline(0.25));
  const Settings s = test::run_settings("reference", 3, 1e-10);
  simulate::Common common;
  common.initial = {{"q", 0}};
  common.settings = s;
  const simulate::Members members(simulator, common, {{false, "v"}});
  std::vector<std::vector<double>> ends(3);
  members.run(3, [](std::size_t k, std::span<double> values) { values[0] = static_cast<double>(k); },
              {[&](std::size_t k, std::size_t, std::span<const double> row) { ends[k].assign(row.begin(), row.end()); },
               [](std::size_t, const auto& end) { EXPECT_EQ(end.failure, ""); }},
              {});
  for (std::size_t k = 0; k < 3; ++k) {
    const auto alone = simulator.run({{"q", 0}, {"v", static_cast<double>(k)}}, s);
    ASSERT_EQ(alone.columns.size(), ends[k].size());
    for (std::size_t c = 0; c < ends[k].size(); ++c) EXPECT_EQ(ends[k][c], alone.columns[c].values.back());
  }
}

TEST(Friction, TwoOnOneVelocityBringItToRestTogether) {
  auto system = body_on_line("v^2/2", {});
  rub(system, "wall", {"v", "1", "1"});
  const auto run = Simulator(system).run({{"q", 0}, {"v", 1}}, test::run_settings("reference", 3, 1e-12));
  EXPECT_NEAR(run["q"].back(), 1 / 2.6, 1e-13);
  EXPECT_NEAR(run["friction.floor"].back() + run["friction.wall"].back(), 0, 1e-14);
}

// A run that watches for the end of a slip takes its steps one by one, and asks between them whether to go on.
TEST(Friction, RunsBetweenTwoRowsCanBeStopped) {
  const Simulator simulator(body_on_line("v^2/2", {"v", "0.1", "0.1"}));
  auto settings = test::run_settings("runge-kutta-4", 1, 1e-5);
  settings.output_every = 100'000;
  int asked = 0;
  const auto run = simulator.run({{"q", 0}, {"v", 1}}, settings, {}, [&](double) { return ++asked < 4; });
  EXPECT_FALSE(run.facts.complete);
  EXPECT_THAT(run.facts.status, testing::StartsWith("stopped by the user"));
  EXPECT_LT(run.facts.steps, 5000);
}

TEST(Friction, OnAVelocityThatAConstraintHoldsIsNotDetermined) {
  auto system = body_on_line("v^2/2", {"v - 1"});
  mechanics::constrain(system, mechanics::Rule::nonholonomic, {system.algebroid.y[0] - 1});
  const Simulator simulator(system);
  EXPECT_THAT(
      message_of([&] { std::ignore = simulator.run({{"q", 0}, {"v", 1}}, test::run_settings("reference", 3, 1e-10)); }),
      testing::HasSubstr("the force of the friction on 'v - 1' is not determined where something else holds "
                         "that velocity at t = 0"));
}

TEST(Friction, WhatDoesNotFollowItSaysSo) {
  const auto system = incline(0.25);
  const Simulator simulator(system);
  const simulate::InitialState at{{"q", 0}, {"v", 1}};
  const auto refusal = [&](Settings settings) {
    return message_of([&] { std::ignore = simulator.run(at, settings); });
  };
  EXPECT_THAT(refusal(test::run_settings("contact-lobatto-4", 1, 0.1)),
              testing::HasSubstr(
                  "[friction] is not followed by method contact-lobatto-4, which honours no constraint by which a "
                  "body could stick; methods that do: "));
  EXPECT_THAT(refusal(test::run_settings("reference", -1, 1e-10)),
              testing::HasSubstr("[friction] has no motion backwards"));
  Settings scaled = test::run_settings("contact-gauss-4", 1, 0.1);
  scaled.time_scale = 1 + system.algebroid.x[0] * system.algebroid.x[0];
  EXPECT_THAT(refusal(scaled), testing::HasSubstr("[friction] is not located in a scaled time"));
  EXPECT_THAT(message_of([&] {
                const simulate::Stepper stepper(simulator, at, test::run_settings("contact-gauss-4", 1, 0.1));
              }),
              testing::HasSubstr("[friction] is not followed by runs that are made step by step"));
  EXPECT_THAT(message_of([&] { std::ignore = simulate::linearise(simulator, {.at = at}); }),
              testing::HasSubstr("[friction] is not followed by a linearisation"));
  const Settings gauss = test::run_settings("contact-gauss-4", 1, 0.1);
  EXPECT_THAT(message_of([&] { std::ignore = simulate::reduce_by_symmetry({system, at, gauss, {}}, {}); }),
              testing::HasSubstr("[friction] is not followed by a reduction"));
}

TEST(Friction, HasNoNegativeForceAtTheStart) {
  const auto refusal = [](const Dry& dry, double v) {
    return message_of([&] {
      std::ignore =
          Simulator(body_on_line("v^2/2", dry)).run({{"q", 1}, {"v", v}}, test::run_settings("reference", 1, 1e-10));
    });
  };
  const std::string rule = "neither may be negative, and the static one is no less than the kinetic one";
  EXPECT_THAT(
      refusal({"v", "-0.4", "-0.3"}, 1),
      testing::HasSubstr("the friction 'floor' holds up to the force -0.4 and brakes by -0.3 at the start; " + rule));
  EXPECT_THAT(
      refusal({"v", "0.2*q", "0.3"}, 0),
      testing::HasSubstr("the friction 'floor' holds up to the force 0.2 and brakes by 0.3 at the start; " + rule));
  EXPECT_EQ(refusal({"v", "0.1*(1 + 2*v)", "0.3*v"}, 1), "nothing was thrown");
}

TEST(Friction, IsOnVelocitiesThatItCanHold) {
  const auto refusal = [](const std::string& on) { return message_of([&] { body_on_line("v^2/2", {on, "1", "1"}); }); };
  EXPECT_THAT(refusal("q"), testing::HasSubstr("the friction 'floor' is on a function that depends on no velocity"));
  EXPECT_THAT(refusal("v^2"), testing::HasSubstr("is not linear in the velocities"));
  EXPECT_THAT(refusal("v + abs(q)"), testing::HasSubstr("makes comparisons"));
  EXPECT_THAT(refusal("v + z"), testing::HasSubstr("depends on the action"));
}

}  // namespace
