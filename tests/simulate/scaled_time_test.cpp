// Runs in a fictitious time: the same motion, steps that vary, and what is kept.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/analyse/contact_defect.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/mechanics/time_transformation.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "largest_difference.hpp"
#include "message_of.hpp"

namespace {

using namespace herglotz;
using simulate::InitialState;
using simulate::Settings;
using simulate::Simulator;
using symbolic::Expr;
using testing::HasSubstr;

/// L = v^2 exp(z/5)/2 - cos q - z^2/10 + q sin(t)/5 with the force -v/10: everything that can vary does.
struct Driven {
  Driven() {
    auto graph = std::make_shared<symbolic::Graph>();
    q = graph->symbol("q");
    v = graph->symbol("v");
    system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
    system.generator = v * v * exp(system.z / 5) / 2 - cos(q) - system.z * system.z / 10 + q * sin(system.t) / 5;
    system.forces[0] = -v / 10;
    scale = 1 / (1 + q * q / 2) + system.t / 20 + system.z * system.z / 30;
  }
  Expr q, v;
  mechanics::System system;
  Expr scale;
};

const InitialState start{{"q", 0.5}, {"v", 1.2}, {"z", 0.3}};

Settings settings_in_steps(const std::string& method, double t_end, double step) {
  Settings s;
  s.method = method;
  s.t_end = t_end;
  s.step = step;
  return s;
}

std::vector<double> end_of(const analyse::Trajectory& trajectory, const std::vector<std::string>& names) {
  std::vector<double> end;
  for (const auto& name : names) end.push_back(trajectory[name].back());
  return end;
}

}  // namespace

TEST(ScaledTime, FollowsTheSameMotionAtTheOrderOfTheMethod) {
  const Driven driven;
  const Simulator simulator(driven.system);
  Settings exact;
  exact.method = "reference";
  exact.tolerance = 1e-13;
  exact.t_end = 3;
  const auto expected = end_of(simulator.run(start, exact), {"q", "v", "z", "integrating_factor"});
  for (const auto& [method, order] : {std::pair{"contact-gauss-2", 2.0}, {"contact-gauss-4", 4.0}}) {
    std::vector<double> errors;
    for (const double step : {0.1, 0.05}) {
      Settings scaled = settings_in_steps(method, 3, step);
      scaled.time_scale = driven.scale;
      const auto trajectory = simulator.run(start, scaled);
      EXPECT_EQ(trajectory["t"].back(), 3.0);
      errors.push_back(test::largest_difference(end_of(trajectory, {"q", "v", "z", "integrating_factor"}), expected));
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.1) << method;
  }
}

TEST(ScaledTime, VariesTheStepsAndKeepsTheColumns) {
  const Driven driven;
  const Simulator simulator(driven.system);
  Settings scaled = settings_in_steps("contact-gauss-6", 3, 0.05);
  const auto plain = simulator.run(start, scaled);
  scaled.time_scale = driven.scale;
  scaled.output_every = 1;
  const auto trajectory = simulator.run(start, scaled);
  ASSERT_EQ(trajectory.columns.size(), plain.columns.size());
  for (std::size_t k = 0; k < plain.columns.size(); ++k) EXPECT_EQ(trajectory.columns[k].name, plain.columns[k].name);
  EXPECT_LT(trajectory.facts.largest_energy_residual, 1e-10);
  EXPECT_TRUE(trajectory.facts.complete);
  const auto& t = trajectory["t"];
  const auto& q = trajectory["q"];
  const auto& z = trajectory["z"];
  ASSERT_EQ(t.size(), trajectory.facts.steps + 1);
  for (std::size_t k = 1; k + 1 < t.size(); ++k) {
    const double q_m = (q[k] + q[k - 1]) / 2;
    const double s = 1 / (1 + q_m * q_m / 2) + (t[k] + t[k - 1]) / 40 + std::pow((z[k] + z[k - 1]) / 2, 2) / 30;
    EXPECT_NEAR(t[k] - t[k - 1], 0.05 * s, 1e-4);
  }
}

TEST(ScaledTime, RunsBackwards) {
  const Driven driven;
  const Simulator simulator(driven.system);
  Settings scaled = settings_in_steps("contact-gauss-6", 2, 0.05);
  scaled.time_scale = driven.scale;
  const auto there = simulator.run(start, scaled);
  scaled.t_end = 0;
  const auto back =
      simulator.run({{"q", there["q"].back()}, {"v", there["v"].back()}, {"z", there["z"].back()}, {"t", 2}}, scaled);
  EXPECT_NEAR(back["q"].back(), 0.5, 1e-9);
  EXPECT_NEAR(back["v"].back(), 1.2, 1e-9);
  EXPECT_EQ(back["t"].back(), 0.0);
}

// The anchor and the bracket are part of the right-hand side that the scale multiplies.
TEST(ScaledTime, IsForEveryAlgebroid) {
  auto graph = std::make_shared<symbolic::Graph>();
  const std::vector<Expr> x{graph->symbol("x1"), graph->symbol("x2"), graph->symbol("x3")};
  const std::vector<Expr> y{graph->symbol("y1"), graph->symbol("y2"), graph->symbol("y3")};
  const Expr zero = graph->number(std::int64_t{0});
  const Expr one = graph->number(std::int64_t{1});
  geometry::StructureFunctions c(3, zero);
  symbolic::Matrix generators(3, 3, zero);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const std::size_t k = (i + 2) % 3;
    c.set(k, i, j, one);
    c.set(k, j, i, -one);
    generators(i, j) = x[k];
    generators(i, k) = -x[j];
  }
  auto system = mechanics::make_system(geometry::action(graph, {x, y}, c, generators));
  system.generator = (y[0] * y[0] + 2 * y[1] * y[1] + 3 * y[2] * y[2]) / 2 - x[2] - system.z / 10;
  const InitialState top{{"x1", 0.6}, {"x3", 0.8}, {"y1", 0.3}, {"y2", 0.4}, {"y3", 1.1}};
  const Simulator simulator(system);
  Settings scaled = settings_in_steps("contact-gauss-6", 2, 0.02);
  const std::vector<std::string> names{"x1", "x2", "x3", "y1", "y2", "y3", "z", "integrating_factor"};
  const auto plain = end_of(simulator.run(top, scaled), names);
  scaled.time_scale = 1 + x[0] * x[0];
  EXPECT_LT(test::largest_difference(end_of(simulator.run(top, scaled), names), plain), 1e-9);
}

TEST(ScaledTime, LocatesEventsInItsOwnTime) {
  Driven driven;
  driven.system.events.push_back({"top", driven.v, mechanics::Direction::any, false});
  driven.system.events.push_back(
      {"late", driven.system.t - Expr(driven.system.graph().number(2.5)), mechanics::Direction::rising, true});
  const Simulator simulator(driven.system);
  Settings run = settings_in_steps("contact-gauss-6", 6, 0.02);
  const auto plain = simulator.run(start, run);
  run.time_scale = driven.scale;
  const auto scaled = simulator.run(start, run);
  ASSERT_EQ(scaled.events.size(), 2U);
  ASSERT_EQ(scaled.events[0].count(), plain.events[0].count());
  for (std::size_t k = 0; k < plain.events[0].count(); ++k)
    EXPECT_NEAR(scaled.events[0].columns[0].values[k], plain.events[0].columns[0].values[k], 1e-9);
  EXPECT_NEAR(scaled["t"].back(), 2.5, 1e-13);
  EXPECT_THAT(scaled.facts.notes, ::testing::ElementsAre(HasSubstr("ended by the event 'late'")));
}

TEST(ScaledTime, SaysWhatItDoesNotGoWith) {
  const Driven driven;
  const Simulator simulator(driven.system);
  Settings scaled = settings_in_steps("contact-gauss-4", 1, 0.1);
  scaled.time_scale = driven.q - 1;
  EXPECT_EQ(message_of([&] { (void)simulator.run(start, scaled); }),
            "time_scale is -0.5 at the start; a positive value is needed");
  scaled.time_scale = driven.scale;
  scaled.output_step = 0.1;
  EXPECT_THAT(message_of([&] { (void)simulator.run(start, scaled); }), HasSubstr("use output_every"));
  scaled.output_step.reset();
  scaled.step.reset();
  scaled.method = "reference";
  EXPECT_THAT(message_of([&] { (void)simulator.run(start, scaled); }), HasSubstr("give a step"));
  scaled = settings_in_steps("contact-gauss-4", 1, 0.1);
  scaled.time_scale = 0.5 - driven.system.t;
  EXPECT_THAT(message_of([&] { (void)simulator.run(start, scaled); }),
              HasSubstr("time stands still at t = 0.5: time_scale is not positive there"));
}

// K = s (H + e) on T*(Q x R) x R: [HLW06, Sec. VIII.2] for contact systems.
TEST(ScaledTime, StepsAreConformalContactWithTimeAmongThePositions) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {graph->symbol("v")}}));
  system.formulation = mechanics::Formulation::hamiltonian;
  const Expr p = system.p[0];
  system.generator = p * p * exp(-system.z / 5) / 2 + cos(q) + system.z * system.z / 10 + q * sin(system.t) / 5;
  const auto equations = mechanics::derive(system);
  const auto changed =
      mechanics::transform_time(system, equations, {}, 1 / (1 + q * q) + system.z * system.z / 10 + system.t / 20);
  const auto jacobian = mechanics::stage_jacobian_program(changed.system, changed.equations);
  const std::vector<symbolic::Program> programs{mechanics::stage_program(changed.system, changed.equations),
                                                jacobian.program};
  auto kernels = compile::compile(programs);
  integrate::Dynamics dynamics;
  dynamics.n = dynamics.r = 2;
  dynamics.stage = kernels[0];
  dynamics.stage_jacobian = kernels[1];
  dynamics.stage_pattern = {jacobian.rows, jacobian.cols, jacobian.row, jacobian.col};
  const auto step = [&](std::span<const double> from) {
    return integrate::integrate(dynamics, {}, 0, from, {.method = "contact-gauss-4", .t_end = 0.2, .step = 0.2},
                                [](const integrate::Sample&) { return true; })
        .state;
  };
  const std::vector<double> point{0.5, 0.7, 1.2, -0.4, 0.3};  // off the zero level too
  double factor = 0;
  integrate::integrate(dynamics, {}, 0, point, {.method = "contact-gauss-4", .t_end = 0.2, .step = 0.2},
                       [&](const integrate::Sample& sample) {
                         factor = std::exp(-sample.log_factor);
                         return true;
                       });
  const analyse::ContactMap map = [&](std::span<const double> from, std::span<double> to) {
    const auto state = step(from);
    std::copy(state.begin(), state.end(), to.begin());
  };
  EXPECT_LT(analyse::contact_defect(map, point, factor), 1e-10);
  EXPECT_GT(analyse::contact_defect(map, point, 1.001 * factor), 1e-4);
}
