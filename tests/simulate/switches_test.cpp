#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/members.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "message_of.hpp"
#include "run_settings.hpp"

namespace {

using namespace herglotz;
using simulate::Settings;
using simulate::Simulator;
using symbolic::Expr;

constexpr double relay_damping = 0.25;

struct RelayState {
  double q;
  double v;
};

/// A system on a line with the given Lagrangian and force.
mechanics::System system_on_line(const std::string& lagrangian, const std::string& force = "0") {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr v = graph->symbol("v");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  const symbolic::Scope scope{{"q", q}, {"v", v}, {"z", system.z}, {"t", system.t}};
  system.generator = symbolic::parse(*graph, lagrangian, scope);
  system.forces[0] = symbolic::parse(*graph, force, scope);
  return system;
}

mechanics::Event event_of(const mechanics::System& system, const std::string& name, const std::string& text) {
  const symbolic::Scope scope{{"q", system.algebroid.x[0]}, {"v", system.algebroid.y[0]}, {"t", system.t}};
  return {name, symbolic::parse(system.graph(), text, scope)};
}

/// q'' + gamma q' = -sign(q), by a potential |q| or by a force.
mechanics::System relay(bool by_force) {
  return by_force ? system_on_line("v^2/2 - z/4", "-sign(q)") : system_on_line("v^2/2 - abs(q) - z/4");
}

/// Moves a state of q'' + gamma q' = -s by a time.
RelayState moved_on_side(RelayState s, double side, double t) {
  const double e = std::exp(-relay_damping * t);
  const double free = s.v + side / relay_damping;
  return {s.q + free * (1 - e) / relay_damping - side * t / relay_damping, free * e - side / relay_damping};
}

/// The motion of the relay from q > 0, piece by piece: Newton's method finds the time at which q vanishes next.
RelayState relayed(RelayState s, double t_end, int* switches = nullptr) {
  double side = s.q > 0 ? 1 : -1;
  for (double t = 0;;) {
    double h = s.v * side > 0 ? 2 * std::abs(s.v) + 2 : 2;
    for (int k = 0; k < 60; ++k) {
      const RelayState at = moved_on_side(s, side, h);
      h -= at.q / at.v;
    }
    if (t + h > t_end) return moved_on_side(s, side, t_end - t);
    s = {0, moved_on_side(s, side, h).v};
    t += h;
    side = -side;
    if (switches != nullptr) ++*switches;
  }
}

double error_of_relay(bool by_force, const std::string& method, double accuracy, double t_end = 9) {
  const auto run = Simulator(relay(by_force)).run({{"q", 1}, {"v", 0.5}}, test::run_settings(method, t_end, accuracy));
  const RelayState exact = relayed({1, 0.5}, t_end);
  EXPECT_EQ(run["t"].back(), t_end);
  return std::max(std::abs(run["q"].back() - exact.q), std::abs(run["v"].back() - exact.v));
}

class Switches : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Forms, Switches, testing::Values(true, false),
                         [](const auto& tested) { return tested.param ? "force" : "potential"; });

TEST_P(Switches, AdaptiveMethodsEndStepsAtThem) {
  EXPECT_LT(error_of_relay(GetParam(), "reference", 1e-12), 1e-11);
  EXPECT_LT(error_of_relay(GetParam(), "taylor", 1e-12), 1e-11);
  EXPECT_LT(error_of_relay(GetParam(), "radau-5", 1e-11), 1e-9);
  EXPECT_LT(error_of_relay(GetParam(), "stiff", 1e-11), 1e-8);
  int switches = 0;
  relayed({1, 0.5}, 9, &switches);
  ASSERT_GE(switches, 3);
  const auto run = Simulator(relay(GetParam())).run({{"q", 1}, {"v", 0.5}}, test::run_settings("reference", 9, 1e-12));
  EXPECT_LT(run.facts.rejected_steps, 20U) << "no step feels its way to a switch";
  EXPECT_LT(run.facts.largest_energy_residual, 1e-12);
  EXPECT_THAT(run.facts.notes, testing::Contains("steps end at the switches that the motion passes: 'q' " +
                                                 std::to_string(switches) + " times"));
}

TEST_P(Switches, FixedStepMethodsKeepTheirOrder) {
  for (const auto& [method, order] : {std::pair{"contact-gauss-4", 4},
                                      std::pair{"contact-gauss-6", 6},
                                      {"runge-kutta-4", 4},
                                      {"contact-lobatto-4", 4}}) {
    const double coarse = error_of_relay(GetParam(), method, 0.45);
    const double fine = error_of_relay(GetParam(), method, 0.15);
    EXPECT_NEAR(std::log(coarse / fine) / std::log(3.0), order, 0.1) << method << " " << coarse << " " << fine;
  }
}

TEST_P(Switches, RunBackwardsToTheirStart) {
  const RelayState end = relayed({1, 0.5}, 9);
  Settings back = test::run_settings("reference", 0, 1e-12);
  const auto run = Simulator(relay(GetParam())).run({{"q", end.q}, {"v", end.v}, {"t", 9}}, back);
  EXPECT_NEAR(run["q"].back(), 1, 1e-10);
  EXPECT_NEAR(run["v"].back(), 0.5, 1e-10);
}

TEST_P(Switches, RowsAreThoseThatWereAskedFor) {
  Settings s = test::run_settings("reference", 9, 1e-12);
  s.output_step = 0.75;
  const auto run = Simulator(relay(GetParam())).run({{"q", 1}, {"v", 0.5}}, s);
  ASSERT_EQ(run.rows(), 13U);
  Settings fixed = test::run_settings("contact-gauss-6", 9, 0.05);
  fixed.output_every = 15;
  const auto steps = Simulator(relay(GetParam())).run({{"q", 1}, {"v", 0.5}}, fixed);
  ASSERT_EQ(steps.rows(), 13U);
  for (std::size_t k = 0; k < 13; ++k) {
    const double t = 0.75 * static_cast<double>(k);
    EXPECT_NEAR(run["t"][k], t, 1e-14);
    EXPECT_NEAR(steps["t"][k], t, 1e-14);
    EXPECT_NEAR(run["q"][k], relayed({1, 0.5}, t).q, 1e-11);
    EXPECT_NEAR(steps["q"][k], relayed({1, 0.5}, t).q, 1e-9);
  }
}

TEST_P(Switches, EventsAtASwitchHappenOnce) {
  auto system = relay(GetParam());
  for (const char* text : {"q", "2*q", "-q", "v"}) system.events.push_back(event_of(system, text, text));
  system.events[2].direction = mechanics::Direction::rising;
  int switches = 0;
  relayed({1, 0.5}, 9, &switches);
  for (const char* method : {"reference", "contact-gauss-4"}) {
    const auto run =
        Simulator(system).run({{"q", 1}, {"v", 0.5}}, test::run_settings(method, 9, method[0] == 'r' ? 1e-12 : 0.1));
    const auto times = [&](std::size_t k) { return run.events[k].columns[0].values; };
    ASSERT_EQ(times(0).size(), static_cast<std::size_t>(switches)) << method;
    EXPECT_EQ(times(1).size(), times(0).size());
    EXPECT_EQ(times(2).size(), (times(0).size() + 1) / 2) << "-q rises where q falls";
    EXPECT_GE(times(3).size(), 2U);
    for (std::size_t k = 0; k < times(0).size(); ++k) EXPECT_NEAR(times(0)[k], times(1)[k], 1e-13);
  }
}

TEST_P(Switches, MembersOfEnsemblesAreTheRunsAlone) {
  const Simulator simulator(relay(GetParam()));
  const Settings s = test::run_settings("reference", 9, 1e-10);
  simulate::Common common;
  common.initial = {{"q", 1}};
  common.settings = s;
  const simulate::Members members(simulator, common, {{false, "v"}});
  std::vector<double> ends(3);
  members.run(3, [](std::size_t k, std::span<double> values) { values[0] = 0.25 * static_cast<double>(k); },
              {[&](std::size_t k, std::size_t, std::span<const double> row) { ends[k] = row[1]; },
               [](std::size_t, const auto& end) { EXPECT_EQ(end.failure, ""); }},
              {});
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_EQ(ends[k], simulator.run({{"q", 1}, {"v", 0.25 * static_cast<double>(k)}}, s)["q"].back());
}

TEST(SwitchesOf, BranchesHaveTheirOwnPeriods) {
  const auto system = system_on_line("v^2/2 - if(q > 0, 4*q^2, q^2)/2");
  const double period = std::numbers::pi / 2 + std::numbers::pi;
  const auto run = Simulator(system).run({{"q", 1}, {"v", 0}}, test::run_settings("reference", 4 * period, 1e-13));
  EXPECT_NEAR(run["q"].back(), 1, 1e-11);
  EXPECT_NEAR(run["v"].back(), 0, 1e-10);
  EXPECT_LT(run.facts.largest_energy_residual, 1e-12);
}

TEST(SwitchesOf, ConditionsMayBeJoined) {
  // The force acts in the strip 1 < q < 2 alone: there v^2 grows by 2, elsewhere v is constant.
  const auto system = system_on_line("v^2/2", "if(q > 1 and q < 2, 1, 0)");
  const auto run = Simulator(system).run({{"q", 0}, {"v", 1}}, test::run_settings("reference", 4, 1e-12));
  const double inside = std::sqrt(3.0) - 1;  // q = 1 + s + s^2/2 = 2
  EXPECT_NEAR(run["v"].back(), std::sqrt(3.0), 1e-13);
  EXPECT_NEAR(run["q"].back(), 2 + std::sqrt(3.0) * (3 - inside), 1e-12);
}

TEST(SwitchesOf, FloorCountsUpAndDown) {
  // q'' = floor(t): v(t) is the sum of the steps below t, backwards too.
  const auto in_time = system_on_line("v^2/2", "floor(t)");
  const auto run = Simulator(in_time).run({{"q", 0}, {"v", 0}}, test::run_settings("reference", 4, 1e-12));
  EXPECT_NEAR(run["v"].back(), 6, 1e-13);
  const auto back = Simulator(in_time).run({{"q", 0}, {"v", 6}, {"t", 4}}, test::run_settings("reference", -1, 1e-12));
  EXPECT_NEAR(back["v"].back(), 1, 1e-12);
  // A staircase of potentials: the force -floor(q) - 1/2 pulls to 0 with energy v^2/2 + |q|/2 + .. at whole numbers.
  const auto stairs = system_on_line("v^2/2", "-floor(q) - 1/2");
  const auto swing = Simulator(stairs).run({{"q", 0}, {"v", 3}}, test::run_settings("reference", 30, 1e-12));
  for (std::size_t k = 0; k < swing.rows(); ++k) {
    const double q = swing["q"][k];
    const double n = std::floor(q);
    EXPECT_NEAR(swing["v"][k] * swing["v"][k] / 2 + n * n / 2 + (n + 0.5) * (q - n), 4.5, 1e-10);
  }
}

TEST(SwitchesOf, AStartOnASwitchGoesToTheSideOfItsMotion) {
  for (const double v : {1.0, -1.0})
    for (const bool by_force : {true, false}) {
      const auto run = Simulator(relay(by_force)).run({{"q", 0}, {"v", v}}, test::run_settings("reference", 1, 1e-12));
      const RelayState exact = moved_on_side({0, v}, v, 1);
      EXPECT_NEAR(run["q"].back(), exact.q, 1e-13);
      EXPECT_NEAR(run["v"].back(), exact.v, 1e-13);
    }
}

TEST(SwitchesOf, ALagrangianThatJumpsIsNoMotion) {
  const Simulator simulator(system_on_line("v^2/2 - if(q > 1, 1/4, 0)"));
  EXPECT_THAT(
      message_of([&] { std::ignore = simulator.run({{"q", 0}, {"v", 1}}, test::run_settings("reference", 4, 1e-10)); }),
      testing::AllOf(testing::HasSubstr("the energy jumps by 0.25 where 'q - 1' passes 0"),
                     testing::HasSubstr("t = 1")));
}

TEST(SwitchesOf, ABodyThatFrictionBringsToRestStaysAtRest) {
  // q'' = -sign(v) from v = 1 is at rest at t = 1 and q = 1/2.
  const Simulator simulator(system_on_line("v^2/2", "-sign(v)"));
  for (const char* method : {"reference", "radau-5", "stiff", "contact-gauss-4"}) {
    const bool adaptive = integrate::find_method(method)->adaptive;
    const auto run = simulator.run({{"q", 0}, {"v", 1}}, test::run_settings(method, 4, adaptive ? 1e-12 : 0.3));
    EXPECT_NEAR(run["q"].back(), 0.5, 1e-10) << method;
    EXPECT_NEAR(run["v"].back(), 0, 1e-15) << method;
    EXPECT_LT(run.facts.largest_energy_residual, 1e-10) << method;
    EXPECT_THAT(run.facts.notes, testing::Contains("the motion stays on 'v' = 0 1 time, first from t = 1")) << method;
  }
  const auto rests = simulator.run({{"q", 0}, {"v", 0}}, test::run_settings("reference", 4, 1e-12));
  EXPECT_EQ(rests["q"].back(), 0);
}

TEST(SwitchesOf, ABodySlidesToRestOnAnInclineAtItsTimeAndPlace) {
  constexpr double angle = 0.25;
  const std::string weight = "v^2/2 - 9.81*sin(0.25)*q";
  const double pull = 9.81 * std::sin(angle);
  for (const double coefficient : {0.3, 0.2}) {  // tan(0.25) = 0.255
    const double friction = coefficient * 9.81 * std::cos(angle);
    const Simulator simulator(system_on_line(weight, "-" + std::to_string(coefficient) + "*9.81*cos(0.25)*sign(v)"));
    const auto run = simulator.run({{"q", 0}, {"v", 2}}, test::run_settings("reference", 3, 1e-13));
    const double time = 2 / (pull + friction);
    const double left = coefficient < 0.25 ? 3 - time : 0;
    const double down = pull - friction;
    EXPECT_NEAR(run["q"].back(), time - down * left * left / 2, 1e-12) << coefficient;
    EXPECT_NEAR(run["v"].back(), -down * left, 1e-12) << coefficient;
    EXPECT_LT(run.facts.largest_energy_residual, 1e-12) << coefficient;
  }
}

// The belt moves with 0.2; the spring holds the block back, and pulls it loose where its force is that of friction.
TEST(SwitchesOf, ABlockOnABeltIsCarriedUntilItsSpringPullsItLoose) {
  const Simulator simulator(system_on_line("v^2/2 - 2*q^2", "-0.6*sign(v - 0.2)"));
  const auto run = simulator.run({{"q", 0}, {"v", 0.2}}, test::run_settings("reference", 2, 1e-13));
  const double loose = 0.15 / 0.2;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    const double t = run["t"][k];
    EXPECT_NEAR(run["q"][k], t < loose ? 0.2 * t : 0.15 + 0.1 * std::sin(2 * (t - loose)), 1e-11) << t;
  }
  EXPECT_LT(run.facts.largest_energy_residual, 1e-12);
}

TEST(SwitchesOf, TwoBodiesThatRubMoveTogetherAtLast) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr x = graph->symbol("x");
  const Expr v = graph->symbol("v");
  const Expr w = graph->symbol("w");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q, x}, {v, w}}));
  system.generator = v * v / 2 + w * w;  // masses 1 and 2
  system.forces = {-symbolic::sign(v - w), symbolic::sign(v - w)};
  const auto run =
      Simulator(system).run({{"q", 0}, {"x", 0}, {"v", 1}, {"w", 0}}, test::run_settings("reference", 3, 1e-13));
  const double time = 2.0 / 3;  // v - w = 1 - 3 t/2
  EXPECT_NEAR(run["v"].back(), 1.0 / 3, 1e-13);
  EXPECT_NEAR(run["w"].back(), 1.0 / 3, 1e-13);
  EXPECT_NEAR(run["x"].back(), time * time / 4 + (3 - time) / 3, 1e-12);
}

TEST(SwitchesOf, AMotionThatCannotLeaveASwitchSaysSo) {
  // The force of a position holds no velocity, and a force that acts elsewhere is none of the constraint v = 0.
  const Simulator relay_at_rest(system_on_line("v^2/2", "-sign(q)"));
  EXPECT_THAT(
      message_of(
          [&] { std::ignore = relay_at_rest.run({{"q", 0}, {"v", 0}}, test::run_settings("reference", 4, 1e-10)); }),
      testing::AllOf(testing::HasSubstr("the motion cannot leave 'q' = 0, because both of its sides lead back to it"),
                     testing::HasSubstr("t = 0")));
}

TEST(SwitchesOf, MethodsThatDoNotLocateThemSayTheirOrder) {
  const auto system = system_on_line("v^2/2 - abs(q)");
  Settings scaled = test::run_settings("contact-gauss-4", 2, 0.1);
  scaled.time_scale = 1 + system.algebroid.x[0] * system.algebroid.x[0];
  const auto run = Simulator(system).run({{"q", 1}, {"v", 0}}, scaled);
  EXPECT_THAT(run.facts.notes,
              testing::Contains("steps of a scaled time do not end where 'q' passes 0: the run has order 1 "
                                "there"));
}

TEST(SwitchesOf, ComparisonsOfParametersAreNone) {
  auto system = system_on_line("v^2/2 - q^2/2");
  const Expr k = system.graph().symbol("k");
  system.parameters.push_back({k, 1.0});
  system.generator = system.generator * symbolic::abs(k);
  const auto run = Simulator(system).run({{"q", 1}, {"v", 0}}, test::run_settings("reference", 2, 1e-10));
  EXPECT_THAT(run.facts.notes, testing::Not(testing::Contains(testing::HasSubstr("switch"))));
}

TEST(SwitchesOf, NotesNameFunctionsAsTheyWereWritten) {
  const Simulator nested(system_on_line("v^2/2 - q^2/2", "-sign(q - sign(v)/2 - abs(q)/10)/4"));
  const auto run = nested.run({{"q", 1}, {"v", 0}}, test::run_settings("reference", 6, 1e-10));
  EXPECT_THAT(run.facts.notes, testing::Contains(testing::HasSubstr("'q - abs(q)/10 - sign(v)/2'")));
}

TEST(SwitchesOf, RefusalsNameForcesAsTheyWereWritten) {
  const Simulator dragged(system_on_line("v^2/2", "-v*abs(v) - if(q > 1, v, 0)"));
  EXPECT_THAT(message_of([&] {
                std::ignore = dragged.run({{"q", 0}, {"v", 2}}, test::run_settings("contact-splitting-2", 2, 0.1));
              }),
              testing::HasSubstr("the force p_v = -v*abs(v) - if(q > 1, v, 0) has no place in"));
}

}  // namespace
