// Runs that their caller makes step by step.

#include "herglotz/simulate/stepper.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "herglotz/geometry/builders.hpp"

namespace {

using namespace herglotz;
using simulate::InitialState;
using simulate::RunFailed;
using simulate::Settings;
using simulate::Simulator;
using simulate::Stepper;
using symbolic::Expr;
using testing::HasSubstr;

/// A damped pendulum, or a damped particle in the plane whose velocity is tied to its position.
mechanics::System pendulum() {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr v = graph->symbol("v");
  const Expr gamma = graph->symbol("gamma");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.parameters.push_back({gamma, 0.25});
  system.generator = v * v / 2 + cos(q) - gamma * system.z;
  return system;
}
mechanics::System tied(mechanics::Rule rule) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr a = graph->symbol("a");
  const Expr b = graph->symbol("b");
  const Expr u = graph->symbol("u");
  const Expr v = graph->symbol("v");
  auto system = mechanics::make_system(geometry::tangent(graph, {{a, b}, {u, v}}));
  system.generator = (u * u + 4.0 * v * v) / 2 - b - system.z / 5;
  mechanics::constrain(system, rule, {v - a * u});
  return system;
}

Settings steps_of(const std::string& method, double t_end = 2) {
  Settings s;
  s.method = method;
  s.t_end = t_end;
  if (integrate::find_method(method)->adaptive)
    s.tolerance = 1e-9;
  else
    s.step = 0.07;
  return s;
}

void expect_rows_of_a_run(const mechanics::System& system, const InitialState& initial, Settings settings) {
  const Simulator simulator(system);
  settings.output_every = 1;
  const auto run = simulator.run(initial, settings);
  Stepper motion(simulator, initial, settings);
  std::size_t row = 0;
  do {
    ASSERT_LT(row, run["t"].size()) << settings.method;
    EXPECT_EQ(motion.t(), run["t"][row]) << settings.method;
    for (const std::string& name : simulator.dynamics().names)
      EXPECT_EQ(motion[name], run[name][row]) << settings.method << ", " << name << ", row " << row;
    ++row;
  } while (motion.step());
  EXPECT_EQ(row, run["t"].size()) << settings.method;
  EXPECT_EQ(motion.t(), settings.t_end) << "the last state stays";
  EXPECT_FALSE(motion.step());
}

TEST(Stepper, GivesTheRowsOfARunToTheLastBit) {
  for (const char* method : {"reference", "taylor", "radau-5", "runge-kutta-4", "contact-gauss-4", "contact-lobatto-2",
                             "contact-galerkin-4", "contact-energy-2"})
    expect_rows_of_a_run(pendulum(), {{"q", 2.5}, {"v", 0.4}, {"z", 0.1}}, steps_of(method));
  expect_rows_of_a_run(pendulum(), {{"q", 2.5}}, steps_of("contact-gauss-6", -1));
}

TEST(Stepper, GivesTheRowsOfConstrainedRunsToTheLastBit) {
  for (const char* method : {"reference", "contact-gauss-4"}) {
    expect_rows_of_a_run(tied(mechanics::Rule::nonholonomic), {{"a", 0.5}, {"u", 1}, {"v", 0.5}}, steps_of(method));
    expect_rows_of_a_run(tied(mechanics::Rule::vakonomic), {{"a", 0.5}, {"u", 1}, {"v", 0.5}, {"nu1", 0.2}},
                         steps_of(method));
    Settings moved = steps_of(method);
    moved.project = true;
    expect_rows_of_a_run(tied(mechanics::Rule::nonholonomic), {{"a", 0.5}, {"u", 1}, {"v", 0.7}}, moved);
  }
}

// A massless coordinate, and one that follows a constraint: steps stay on the final set, with the bits of a run.
TEST(Stepper, GivesTheRowsOfSingularRunsToTheLastBit) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto named = [&](const char* name) { return graph->symbol(name); };
  const Expr x = named("x");
  const Expr y = named("y");
  const Expr s = named("s");
  const Expr vx = named("vx");
  const Expr vy = named("vy");
  auto system = mechanics::make_system(geometry::tangent(graph, {{x, y, s}, {vx, vy, named("vs")}}));
  system.generator = vx * vx / 2 - x * x / 2 - y * y / 2 - pow(s - y, 2) / 2 - system.z / 5;
  const auto expect_rows = [](const mechanics::System& of, const InitialState& initial, Settings settings) {
    settings.output_every = 1;
    const Simulator simulator(of, {}, initial);
    const auto run = simulator.run(initial, settings);
    Stepper motion(simulator, initial, settings);
    std::size_t row = 0;
    do {
      ASSERT_LT(row, run["t"].size());
      for (const char* name : {"t", "x", "y", "s", "vx", "vy", "vs", "z"})
        EXPECT_EQ(motion[name], run[name][row]) << settings.method << ", " << name << ", row " << row;
      ++row;
    } while (motion.step());
    EXPECT_EQ(row, run["t"].size()) << settings.method;
  };
  for (const char* method : {"reference", "taylor", "runge-kutta-4", "radau-5"})
    expect_rows(system, {{"x", 1}, {"vx", 0.3}}, steps_of(method));
  auto tied_to_x = system;
  mechanics::constrain(tied_to_x, mechanics::Rule::nonholonomic, {vy - s * vx});
  Settings moved = steps_of("reference");
  moved.project = true;
  expect_rows(tied_to_x, {{"x", 1}, {"y", 0.4}, {"s", 0.4}, {"vx", 0.3}}, moved);

  const Simulator simulator(system, {}, {{"x", 1}});
  Settings once = steps_of("runge-kutta-4");
  once.output_every = 1;
  const auto run = simulator.run({{"x", 1}}, once);
  integrate::Settings first;
  first.method = once.method;
  first.step = first.t_end = *once.step;
  const auto reached = simulator.last_sample_on_final_set(0, {1, 0, 0, 0, 0, 0, 0}, first).state;
  const char* const names[] = {"x", "y", "s", "vx", "vy", "vs", "z"};
  for (std::size_t i = 0; i < reached.size(); ++i) EXPECT_EQ(reached[i], run[names[i]][1]) << names[i];
  EXPECT_THROW((void)simulator.last_sample_on_final_set(0, {1, 0, 1, 0, 0, 0, 0}, first), Failed);
  EXPECT_TRUE(simulator.follows_final_set());
  EXPECT_FALSE(Simulator(pendulum()).follows_final_set());
  EXPECT_THROW((void)Simulator(pendulum()).last_sample_on_final_set(0, {0, 0, 0}, first), Refused);
  Stepper from_elsewhere(simulator, {{"x", 0.5}, {"vx", 0.1}}, steps_of("reference"));
  EXPECT_EQ(from_elsewhere["x"], 0.5);
  EXPECT_TRUE(from_elsewhere.step());
  EXPECT_THROW(Stepper(simulator, {{"x", 1}, {"s", 1}}, steps_of("reference")), RunFailed) << "off the final set";
  EXPECT_THROW(Stepper(simulator, {{"x", 1}}, steps_of("contact-gauss-4")), Refused);
}

TEST(Stepper, StartsFromMomentaAndTakesParameters) {
  const Simulator simulator(pendulum());
  Stepper motion(simulator, {{"q", 0.5}, {"p_v", 0.4}}, steps_of("contact-gauss-4"), {{"gamma", 0}});
  EXPECT_NEAR(motion["v"], 0.4, 1e-15);
  const double energy = 0.4 * 0.4 / 2 - std::cos(0.5);
  while (motion.step()) EXPECT_NEAR(motion["v"] * motion["v"] / 2 - std::cos(motion["q"]), energy, 1e-6);
}

TEST(Stepper, MayBeLeftAtAnyStateAndMoved) {
  const Simulator simulator(pendulum());
  Stepper motion(simulator, {{"q", 2.5}}, steps_of("contact-gauss-4", 1e6));
  while (motion["q"] > 2 && motion.step()) EXPECT_EQ(motion.state().size(), 3U);
  EXPECT_LT(motion.t(), 5);
  EXPECT_LE(motion["q"], 2);
  const double reached = motion["q"];
  Stepper other = std::move(motion);
  EXPECT_EQ(other["q"], reached);
  EXPECT_TRUE(other.step());
  EXPECT_EQ(other.sample().budget.size(), simulator.laws().size());
  other = Stepper(simulator, {{"q", 1}}, steps_of("reference"));
  EXPECT_EQ(other["q"], 1);
  EXPECT_EQ(other["t"], 0);
}

TEST(Stepper, EndsWithTheReasonOfAStepThatFails) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr v = graph->symbol("v");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.generator = v * v / 2 + pow(q, 4) / 4;  // escapes to infinity in a finite time
  const Simulator simulator(system);
  Stepper motion(simulator, {{"q", 1}, {"v", 1}}, steps_of("reference", 100));
  try {
    while (motion.step()) continue;
    FAIL() << "the motion reached t_end";
  } catch (const RunFailed& failed) {
    EXPECT_THAT(failed.what(), HasSubstr("t = "));
  }
  EXPECT_GT(motion.t(), 0.5);
  EXPECT_FALSE(motion.step());
}

TEST(Stepper, RefusesWhatOnlyRunsCanDo) {
  const Simulator simulator(pendulum());
  const auto refusal = [&](const InitialState& initial, const Settings& settings) -> std::string {
    try {
      Stepper motion(simulator, initial, settings);
    } catch (const std::exception& e) {
      return e.what();
    }
    return "nothing was thrown";
  };
  Settings scaled = steps_of("contact-gauss-4");
  scaled.time_scale = simulator.system().z;
  EXPECT_THAT(refusal({}, scaled), HasSubstr("time_scale"));
  EXPECT_THAT(refusal({{"nobody", 1}}, steps_of("reference")), HasSubstr("nobody"));
  Settings without = steps_of("contact-gauss-4");
  without.step.reset();
  EXPECT_THAT(refusal({}, without), HasSubstr("step"));
  const Simulator constrained(tied(mechanics::Rule::nonholonomic));
  EXPECT_THROW(Stepper(constrained, {{"a", 0.5}, {"u", 1}}, steps_of("reference")), RunFailed) << "off the constraint";
  Stepper motion(simulator, {}, steps_of("reference"));
  EXPECT_THROW(static_cast<void>(motion["nobody"]), std::invalid_argument);
}

}  // namespace
