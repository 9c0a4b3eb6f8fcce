// Statistics of ensembles whose members share registers: they are those of members that are run alone.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <mutex>

#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/geometry/builders.hpp"

namespace herglotz::ensemble {
namespace {

using symbolic::Expr;

/// A pendulum with friction and an explicit force in time, so that both laws have budgets.
Plan pendulum_with_force(const std::string& method) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr v = graph->symbol("v");
  const Expr gamma = graph->symbol("gamma");
  Plan plan;
  auto& system = plan.problem.system;
  system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.name = "pendulum";
  system.parameters.push_back({gamma, 0.1});
  system.generator = v * v / 2 + cos(q) - gamma * system.z + q * cos(3 * system.t) / 9 + 1 / (q - 7) / 1000;
  system.symmetries.push_back({"rotation", {graph->number(1)}});
  system.observables.push_back({"height", 1 - cos(q)});
  plan.problem.initial = {{"q", 1.0}};
  plan.problem.settings.method = method;
  plan.problem.settings.t_end = 1.03;
  plan.problem.settings.step = 0.05;
  // Angles of 2e9 leave their lane and are run alone; the force is infinite at 7.
  plan.sweep.quantities = {{Target::parameter, "gamma", Range{0, 1, 61}},
                           {Target::initial, "q", std::vector<double>{-2, 0.5, 2e9, 3, 7}}};
  plan.output.keep = Keep::statistics;
  return plan;
}

std::map<std::size_t, Block> statistics_of_blocks(const Plan& plan, const Parallelism& parallelism,
                                                  const std::string& device = "cpu") {
  Plan with = plan;
  with.device = device;
  const Ensemble ensemble(std::move(with), parallelism);
  std::map<std::size_t, Block> blocks;
  std::mutex mutex;
  EXPECT_TRUE(ensemble.run({}, [&](Block&& block) {
    const std::scoped_lock lock(mutex);
    blocks.emplace(block.index, std::move(block));
  }));
  return blocks;
}

void expect_equal(const std::map<std::size_t, Block>& a, const std::map<std::size_t, Block>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [index, block] : a) {
    const Block& other = b.at(index);
    EXPECT_EQ(other.steps, block.steps);
    EXPECT_EQ(other.failures.size(), block.failures.size());
    ASSERT_EQ(other.statistics.size(), block.statistics.size());
    EXPECT_EQ(std::memcmp(other.statistics.data(), block.statistics.data(), block.statistics.size() * sizeof(Moments)),
              0);
  }
}

}  // namespace

TEST(Statistics, HaveTheSameBitsForAnyNumberOfThreadsAndLanes) {
  for (const char* method : {"runge-kutta-8", "contact-gauss-4", "reference"}) {
    Plan plan = pendulum_with_force(method);
    if (method == std::string("reference")) {
      plan.problem.settings.step.reset();
      plan.problem.settings.tolerance = 1e-9;
    }
    const auto alone = statistics_of_blocks(plan, {1, 1});
    ASSERT_GT(alone.size(), 3U);
    EXPECT_FALSE(alone.begin()->second.failures.empty());
    expect_equal(statistics_of_blocks(plan, {1, 0}), alone);
    expect_equal(statistics_of_blocks(plan, {2, 0}), alone);
    expect_equal(statistics_of_blocks(plan, {2, 4}), alone);
    if (method == std::string("runge-kutta-8")) expect_equal(statistics_of_blocks(plan, {2, 0}, "host"), alone);
  }
}

TEST(Statistics, AreThoseOfTheRowsOfMembers) {
  Plan plan = pendulum_with_force("runge-kutta-8");
  const Ensemble reduced(plan);
  const auto statistics = statistics_of_blocks(plan, {2, 0});
  plan.output.keep = Keep::trajectory;
  const auto members = statistics_of_blocks(plan, {2, 1});
  const std::size_t rows = reduced.layout().times.size();
  const std::size_t columns = reduced.layout().columns.size();
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t row = 0; row < rows; ++row) {
      Moments expected;
      for (const auto& [index, block] : members) {
        std::vector<bool> failed(block.members);
        for (const auto& failure : block.failures) failed[failure.member - block.first] = true;
        for (std::size_t m = 0; m < block.members; ++m)
          if (!failed[m]) expected.add(block.columns[c][m * rows + row]);
      }
      Moments found;
      for (const auto& [index, block] : statistics) found.add(block.statistics[row * columns + c]);
      EXPECT_EQ(found.count, expected.count);
      EXPECT_EQ(found.least, expected.least);
      EXPECT_EQ(found.largest, expected.largest);
      EXPECT_NEAR(found.mean, expected.mean, 1e-13 * (std::abs(expected.least) + std::abs(expected.largest)));
      EXPECT_NEAR(found.squares, expected.squares, 1e-10 * (expected.squares + expected.mean * expected.mean) + 1e-300);
    }
  }
}

}  // namespace herglotz::ensemble
