// Runs of which the state alone is wanted.

#include "herglotz/simulate/state_dynamics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/mechanics/constraints.hpp"

namespace {

using namespace herglotz;
using simulate::Simulator;
using symbolic::Expr;

constexpr double start_action = 0.3;

/// A particle on a line whose dissipation is a function of (q, z, t).
mechanics::System on_a_line(const std::function<Expr(Expr q, Expr z, Expr t)>& dissipation) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr v = graph->symbol("v");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.generator = v * v / 2 + cos(q) - dissipation(q, system.z, system.t);
  return system;
}
mechanics::System damped() {
  return on_a_line([](const Expr&, const Expr& z, const Expr& t) { return (2.0 + cos(t)) * z / 10; });
}

integrate::Settings steps_of(const integrate::MethodInfo& method) {
  integrate::Settings settings;
  settings.method = method.name;
  settings.t_end = 3;
  settings.step = 0.0625;
  settings.tolerance = 1e-10;
  settings.schedule.interval = 0.7;
  return settings;
}

struct Followed {
  integrate::Outcome outcome;
  std::vector<integrate::Sample> samples;
};

Followed follow(const integrate::Dynamics& dynamics, const integrate::Settings& settings) {
  Followed run;
  const std::vector<double> start{1.2, 0.4, start_action};
  run.outcome = integrate::integrate(dynamics, {}, 0, start, settings, [&](const integrate::Sample& sample) {
    run.samples.push_back(sample);
    return true;
  });
  return run;
}

class StateDynamics : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!simulate::state_dynamics(Simulator(damped()), method()).motion.adaptive &&
        !simulate::state_dynamics(Simulator(damped()), method()).motion.steps)
      GTEST_SKIP() << "this machine has no fused multiply-add";
  }
  static const integrate::MethodInfo& method() { return *integrate::find_method(GetParam()); }
};

TEST_P(StateDynamics, FollowsTheStateOfAWholeRunAndNothingElse) {
  // dL/dz depends on t, so that a whole run carries (q, v, z, log lambda) and the budget of the energy.
  const Simulator simulator(damped());
  const auto alone = simulate::state_dynamics(simulator, method());
  EXPECT_EQ(simulator.dynamics_for(method()).motion.entries.size(), 5U);
  EXPECT_EQ(alone.motion.kept, (std::vector<std::size_t>{0, 1}));
  const auto settings = steps_of(method());
  const Followed whole = follow(simulator.dynamics_for(method()), settings);
  const Followed part = follow(alone, settings);
  ASSERT_EQ(part.outcome.status, integrate::Status::success);
  ASSERT_EQ(part.samples.size(), whole.samples.size());
  const double tolerance = method().adaptive ? 1e-9 : 1e-13;
  for (std::size_t k = 0; k < part.samples.size(); ++k) {
    EXPECT_EQ(part.samples[k].t, whole.samples[k].t);
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(part.samples[k].state[i], whole.samples[k].state[i], tolerance) << "sample " << k;
    EXPECT_TRUE(std::isnan(part.samples[k].state[2]));
    EXPECT_TRUE(std::isnan(part.samples[k].log_factor));
    ASSERT_EQ(part.samples[k].budget.size(), 1U);
    EXPECT_TRUE(std::isnan(part.samples[k].budget[0]));
  }
  EXPECT_EQ(part.outcome.state[0], part.samples.back().state[0]);
  EXPECT_EQ(part.outcome.state[1], part.samples.back().state[1]);
  EXPECT_TRUE(std::isnan(part.outcome.state[2]));
}

TEST_P(StateDynamics, CarriesTheActionWhereForcesDependOnIt) {
  const Simulator simulator(on_a_line([](const Expr&, const Expr& z, const Expr&) { return z * z / 10; }));
  const auto alone = simulate::state_dynamics(simulator, method());
  EXPECT_EQ(alone.motion.kept, (std::vector<std::size_t>{0, 1, 2}));
  const auto settings = steps_of(method());
  const Followed whole = follow(simulator.dynamics_for(method()), settings);
  const Followed part = follow(alone, settings);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(part.outcome.state[i], whole.outcome.state[i], method().adaptive ? 1e-9 : 1e-13);
}

TEST_P(StateDynamics, EndsWhereAWholeRunEnds) {
  // q'' = 6 q^5 - sin(q) blows up.
  const Simulator simulator(on_a_line([](const Expr& q, const Expr&, const Expr&) { return -pow(q, 6); }));
  auto settings = steps_of(method());
  settings.t_end = 50;
  const Followed whole = follow(simulator.dynamics_for(method()), settings);
  const Followed part = follow(simulate::state_dynamics(simulator, method()), settings);
  EXPECT_NE(whole.outcome.status, integrate::Status::success);
  EXPECT_NE(part.outcome.status, integrate::Status::success);
  EXPECT_FALSE(part.outcome.reason.text().empty());
  EXPECT_NEAR(part.outcome.t, whole.outcome.t, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Methods, StateDynamics, testing::Values("runge-kutta-4", "runge-kutta-8", "taylor"),
                         [](const auto& given) {
                           std::string name = given.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(StateDynamicsOf, OtherMethodsAndConstraintsAreThoseOfWholeRuns) {
  const Simulator free(damped());
  for (const char* name : {"reference", "contact-gauss-4", "stiff"}) {
    const auto& method = *integrate::find_method(name);
    EXPECT_TRUE(simulate::state_dynamics(free, method).motion.kept.empty()) << name;
  }
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr a = graph->symbol("a");
  const Expr b = graph->symbol("b");
  const Expr u = graph->symbol("u");
  const Expr v = graph->symbol("v");
  auto tied = mechanics::make_system(geometry::tangent(graph, {{a, b}, {u, v}}));
  tied.generator = (u * u + 4.0 * v * v) / 2 - b - tied.z / 5;
  mechanics::constrain(tied, mechanics::Rule::nonholonomic, {v - a * u});
  const Simulator constrained(tied);
  EXPECT_TRUE(simulate::state_dynamics(constrained, *integrate::find_method("runge-kutta-4")).motion.kept.empty());
}

}  // namespace
