// Members of ensembles on the device of tests: every number is that of the processor.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <mutex>

#include "herglotz/compile/device.hpp"
#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/error.hpp"
#include "herglotz/geometry/builders.hpp"

namespace herglotz::ensemble {
namespace {

using symbolic::Expr;

/// A pendulum whose friction varies with its action, so that its integrating factor is computed on the way.
Plan pendulum_with_varying_friction() {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr v = graph->symbol("v");
  const Expr gamma = graph->symbol("gamma");
  Plan plan;
  auto& system = plan.problem.system;
  system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.name = "pendulum";
  system.parameters.push_back({gamma, 0.1});
  system.generator = v * v / 2 + cos(q) - gamma * system.z - gamma * system.z * system.z / 7;
  plan.problem.initial = {{"q", 1.0}};
  plan.problem.settings.method = "runge-kutta-8";
  plan.problem.settings.t_end = 1.03;
  plan.problem.settings.step = 0.05;
  // The angle of 2e9 needs a function that devices do not have, and no step can be taken from infinity.
  plan.sweep.quantities = {{Target::parameter, "gamma", Range{0, 1, 31}},
                           {Target::initial, "q", std::vector<double>{-2, 0.5, 2e9, 3, 1e300}}};
  return plan;
}

struct Results {
  std::map<std::size_t, Block> blocks;
  std::string device;
};

Results results_of(Plan plan, const std::string& device) {
  plan.device = device;
  const Ensemble ensemble(std::move(plan), {2, 0});
  Results results{{}, ensemble.layout().device};
  std::mutex mutex;
  EXPECT_TRUE(ensemble.run({}, [&](Block&& block) {
    const std::scoped_lock lock(mutex);
    results.blocks.emplace(block.index, std::move(block));
  }));
  return results;
}

void expect_same(double a, double b) {
  EXPECT_EQ(std::memcmp(&a, &b, sizeof(a)), 0) << a << " and " << b;
}

void expect_device_gives_the_same(const Plan& plan) {
  if (!compile::devices()[1].missing.empty()) GTEST_SKIP() << "this machine has no fused multiply-add";
  const auto expected = results_of(plan, "cpu");
  const auto found = results_of(plan, "host");
  EXPECT_EQ(expected.device, "");
  EXPECT_TRUE(found.device.starts_with("host: ")) << found.device;
  ASSERT_EQ(found.blocks.size(), expected.blocks.size());
  std::size_t numbers = 0;
  for (const auto& [index, block] : expected.blocks) {
    const Block& other = found.blocks.at(index);
    EXPECT_EQ(other.steps, block.steps);
    ASSERT_EQ(other.failures.size(), block.failures.size());
    for (std::size_t k = 0; k < block.failures.size(); ++k) {
      EXPECT_EQ(other.failures[k].member, block.failures[k].member);
      EXPECT_EQ(other.failures[k].reason, block.failures[k].reason);
    }
    ASSERT_EQ(other.columns.size(), block.columns.size());
    for (std::size_t c = 0; c < block.columns.size(); ++c)
      for (std::size_t k = 0; k < block.columns[c].size(); ++k, ++numbers)
        expect_same(other.columns[c][k], block.columns[c][k]);
    ASSERT_EQ(other.statistics.size(), block.statistics.size());
    for (std::size_t k = 0; k < block.statistics.size(); ++k, ++numbers) {
      expect_same(other.statistics[k].mean, block.statistics[k].mean);
      expect_same(other.statistics[k].squares, block.statistics[k].squares);
      EXPECT_EQ(other.statistics[k].count, block.statistics[k].count);
    }
  }
  EXPECT_GT(numbers, 20U);
}

Plan at_times(Plan plan) {
  plan.output.keep = Keep::times;
  plan.problem.settings.output_every.reset();
  plan.output.times = {0.1, 0.333, 0.35, 0.99};
  return plan;
}

TEST(DeviceEnsemble, HasTheFinalStatesOfTheProcessor) {
  Plan plan = pendulum_with_varying_friction();
  plan.output.columns = {"q", "v"};
  expect_device_gives_the_same(plan);
  plan.problem.settings.method = "runge-kutta-4";
  plan.problem.settings.step = 0.0002;  // more steps than a call takes
  plan.sweep.quantities[0].values = Range{0, 1, 5};
  expect_device_gives_the_same(plan);
}

TEST(DeviceEnsemble, HasTheLawsOfTheProcessor) {
  expect_device_gives_the_same(pendulum_with_varying_friction());
}

TEST(DeviceEnsemble, HasTheRowsOfTheProcessor) {
  Plan plan = pendulum_with_varying_friction();
  plan.output.keep = Keep::trajectory;
  plan.problem.settings.output_every = 3;
  expect_device_gives_the_same(plan);
  plan = at_times(plan);
  expect_device_gives_the_same(plan);
  plan.output.keep = Keep::statistics;
  expect_device_gives_the_same(plan);
}

TEST(DeviceEnsemble, HasTheAdaptiveStepsOfTheProcessor) {
  for (const char* method : {"reference", "taylor"}) {
    Plan plan = pendulum_with_varying_friction();
    plan.problem.settings.method = method;
    plan.problem.settings.step.reset();
    plan.problem.settings.tolerance = 1e-10;
    expect_device_gives_the_same(plan);
    plan.output.columns = {"q", "v"};
    expect_device_gives_the_same(plan);
    expect_device_gives_the_same(at_times(plan));
  }
}

TEST(DeviceEnsemble, HasTheCompositionsOfTheProcessor) {
  for (const char* method : {"contact-splitting-2", "contact-splitting-8"}) {
    Plan plan = pendulum_with_varying_friction();
    plan.problem.settings.method = method;
    plan.output.keep = Keep::trajectory;
    plan.problem.settings.output_every = 3;
    expect_device_gives_the_same(plan);
    expect_device_gives_the_same(at_times(plan));
  }
}

TEST(DeviceEnsemble, RefusesImplicitSteps) {
  // Friction that is quadratic in the action leaves no explicit step.
  Plan plan = pendulum_with_varying_friction();
  plan.problem.settings.method = "contact-lobatto-2";
  EXPECT_THROW((void)results_of(plan, "host"), Refused);
}

}  // namespace
}  // namespace herglotz::ensemble
