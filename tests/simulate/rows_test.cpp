// How many steps and rows a run has: what is refused, and that rows follow the run and its motion.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/members.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace {

using namespace herglotz;
using simulate::InitialState;
using simulate::RunFailed;
using simulate::Settings;
using simulate::Simulator;
using symbolic::Expr;
using testing::AllOf;
using testing::HasSubstr;

/// L = v^2/2 - omega^2 q^2/2 - 0.001 z.
mechanics::System oscillator_of_frequency(double omega = 1) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr v = graph->symbol("v");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.name = "oscillator";
  system.generator = v * v / 2 - omega * omega * q * q / 2 - 0.001 * system.z;
  return system;
}

/// A stone that falls from q = 1 and stops at q = 0, at t = sqrt(2/9.81) without drag.
mechanics::System drop() {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr v = graph->symbol("v");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.name = "drop";
  system.generator = v * v / 2 - 9.81 * q;
  system.events.push_back({"ground", q, mechanics::Direction::falling, true});
  return system;
}

/// A slide with vx = y vh on h = x^2: it rests in x while y grows, and its constraints become dependent at 2 x y = 1.
mechanics::System crossing() {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr x = graph->symbol("x");
  const Expr y = graph->symbol("y");
  const Expr h = graph->symbol("h");
  const Expr vx = graph->symbol("vx");
  const Expr vy = graph->symbol("vy");
  const Expr vh = graph->symbol("vh");
  auto system = mechanics::make_system(geometry::tangent(graph, {{x, y, h}, {vx, vy, vh}}));
  system.name = "crossing";
  system.generator = (vx * vx + vy * vy + vh * vh) / 2 - h - 0.1 * system.z;
  mechanics::constrain(system, mechanics::Rule::nonholonomic, {vx - y * vh, h - x * x});
  return system;
}

Settings stepped(double step, double t_end) {
  Settings s;
  s.method = "runge-kutta-4";
  s.step = step;
  s.t_end = t_end;
  return s;
}

Settings adaptive(double tolerance, double t_end, std::string method = "reference") {
  Settings s;
  s.method = std::move(method);
  s.tolerance = tolerance;
  s.t_end = t_end;
  return s;
}

std::string refusal_of_settings(const Settings& s, const InitialState& initial = {}) {
  static const Simulator simulator(oscillator_of_frequency());
  try {
    (void)simulator.run(initial, s);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing was refused";
}

std::string failure(const Simulator& simulator, const InitialState& initial, const Settings& s) {
  try {
    (void)simulator.run(initial, s);
  } catch (const RunFailed& e) {
    return e.what();
  }
  return "the run did not fail";
}

}  // namespace

TEST(StepCount, IsLimitedWhereSettingsAreRead) {
  EXPECT_THAT(refusal_of_settings(stepped(1e-20, 10)), AllOf(HasSubstr("step = 1e-20"), HasSubstr("at most 1e+12")));
  EXPECT_THAT(refusal_of_settings(stepped(0.01, 1e18)), HasSubstr("at most 1e+12"));
  EXPECT_THAT(refusal_of_settings(stepped(1e-300, -1)), HasSubstr("at most 1e+12"));
  EXPECT_THAT(refusal_of_settings(stepped(1e-3, 1e15 + 100), {{"t", 1e15}}),
              HasSubstr("lost in times as large as 1e+15"));
  EXPECT_THAT(refusal_of_settings(stepped(0.1, 1.7e308), {{"t", -1.7e308}}), HasSubstr("farther from the start"));
}

TEST(StepCount, IsLimitedForMembersOfASweepToo) {
  const Simulator simulator(oscillator_of_frequency());
  simulate::Common common;
  common.settings = stepped(1e-20, 10);
  EXPECT_THROW(simulate::Members(simulator, common, {{false, "q"}}), std::invalid_argument);
}

TEST(RowCount, IsLimitedByTheNumbersThatARunKeeps) {
  for (auto s : {stepped(0.01, 1), adaptive(1e-8, 1)}) {
    s.output_step = 1e-12;
    EXPECT_THAT(refusal_of_settings(s),
                AllOf(HasSubstr("output_step = 1e-12"), HasSubstr("rows of"), HasSubstr("at least")));
    s.output_step = 1e-300;
    EXPECT_THAT(refusal_of_settings(s), HasSubstr("output_step = 1e-300"));
  }
  auto every = stepped(1e-11, 1);
  every.output_every = 1;
  EXPECT_THAT(refusal_of_settings(every), HasSubstr("rows of"));
}

TEST(Rows, OfARunThatEndsEarlyAreThoseOfARunPlannedToEndThere) {
  const Simulator simulator(drop());
  const auto all = simulator.run({{"q", 1.0}}, stepped(0.01, 1000));
  EXPECT_EQ(all.facts.steps, 46u);
  EXPECT_EQ(all.rows(), 47u);
  const auto thinned = simulator.run({{"q", 1.0}}, stepped(1e-4, 1000));  // 4516 steps
  EXPECT_EQ(thinned.rows(), 905u);
  EXPECT_NEAR(thinned["t"][1], 5e-4, 1e-15);
  const auto at_once = simulator.run({{"q", 1.0}}, adaptive(1e-9, 1000));
  EXPECT_EQ(at_once.rows(), 1001u);
  EXPECT_NEAR(at_once["t"].back(), std::sqrt(2 / 9.81), 1e-9);
  EXPECT_GT(at_once["t"].back() - at_once["t"][999], 1e-4);
}

TEST(Rows, ThatWereAskedForStayAsTheyAre) {
  const Simulator simulator(drop());
  auto s = stepped(0.01, 1000);
  s.output_step = 0.1;
  EXPECT_EQ(simulator.run({{"q", 1.0}}, s).rows(), 6u);
}

TEST(Rows, FollowAMotionThatTurnsOften) {
  const Simulator simulator(oscillator_of_frequency());
  const double t_end = 636 * std::numbers::pi;  // 318 periods
  for (const auto& s : {stepped(0.02, t_end), adaptive(1e-8, t_end)}) {
    const auto run = simulator.run({{"q", 1.0}}, s);
    EXPECT_GT(run.rows(), 6000u);
    EXPECT_LT(run.rows(), 7000u);
    EXPECT_TRUE(run.facts.notes.empty());
  }
}

TEST(Rows, TooFewForTheMotionAreNamed) {
  const Simulator simulator(oscillator_of_frequency(100));
  const auto run = simulator.run({{"q", 1.0}}, stepped(2e-3, 100));  // 1592 periods: 31 831 rows would be needed
  EXPECT_EQ(run.rows(), 1001u);
  ASSERT_EQ(run.facts.notes.size(), 1u);
  EXPECT_THAT(run.facts.notes[0], HasSubstr("1001 rows are too few for this motion"));
}

TEST(SingularConstraints, StopARunSoonAndByName) {
  const Simulator simulator(crossing());
  const InitialState start{{"x", 0.5}, {"y", 0.3}, {"h", 0.25}, {"vy", 0.5}};
  for (const auto& s : {adaptive(1e-8, 2), adaptive(1e-10, 2), adaptive(1e-12, 2), adaptive(1e-12, 2, "taylor")})
    EXPECT_THAT(failure(simulator, start, s), AllOf(HasSubstr("singular constraint matrix"), HasSubstr("t = 1.50")));
}

TEST(SingularConstraints, StopMembersOfASweepWithTheSameSentence) {
  const Simulator simulator(crossing());
  const InitialState start{{"x", 0.5}, {"y", 0.3}, {"h", 0.25}, {"vy", 0.5}};
  const auto settings = adaptive(1e-10, 2);
  simulate::Common common;
  common.initial = start;
  common.settings = settings;
  const simulate::Members members(simulator, common, {{false, "z"}});
  std::vector<std::string> failures(5);
  const auto values = [](std::size_t, std::span<double> into) { into[0] = 0; };
  simulate::Members::Results results;
  results.row = [](std::size_t, std::size_t, std::span<const double>) {};
  results.done = [&](std::size_t k, const auto& end) { failures[k] = end.failure; };
  EXPECT_TRUE(members.run(failures.size(), values, results, {}));
  for (const auto& why : failures) EXPECT_EQ(why, failure(simulator, start, settings));
}

TEST(BlowUp, IsNamedWhereTheStateGrows) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr v = graph->symbol("v");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.name = "blow-up";
  system.generator = v * v / 2 + q * q * q * q / 4;  // q'' = q^3: q = sqrt(2)/(1 - t)
  const Simulator simulator(std::move(system));
  EXPECT_THAT(failure(simulator, {{"q", std::numbers::sqrt2}, {"v", std::numbers::sqrt2}}, adaptive(1e-12, 2)),
              AllOf(HasSubstr("has grown by a factor of"), HasSubstr("a finite-time blow-up?")));
}
