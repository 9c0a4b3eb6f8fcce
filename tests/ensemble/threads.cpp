// Members of ensembles in several threads and lanes at once. The thread sanitizer watches these runs.

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/geometry/builders.hpp"

namespace herglotz::ensemble {
namespace {

using symbolic::Expr;

/// A skate on an inclined plane with friction of the action; without its constraint, a particle with a spring.
mechanics::System skate(bool constrained) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto symbol = [&](const char* name) { return graph->symbol(name); };
  auto system = mechanics::make_system(
      geometry::tangent(graph, {{symbol("x"), symbol("y"), symbol("a")}, {symbol("vx"), symbol("vy"), symbol("w")}}));
  const auto& x = system.algebroid.x;
  const auto& v = system.algebroid.y;
  const Expr gamma = symbol("gamma");
  system.name = "skate";
  system.parameters.push_back({gamma, 0.25});
  system.generator = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 - x[0] * x[0] / 2 + x[1] / 3 - gamma * system.z;
  if (constrained) mechanics::constrain(system, mechanics::Rule::nonholonomic, {v[0] * sin(x[2]) - v[1] * cos(x[2])});
  return system;
}

Plan plan_of(bool constrained, const std::string& method) {
  Plan plan;
  plan.problem.system = skate(constrained);
  plan.problem.initial = {{"x", 0.1}, {"vx", 0.8}, {"w", 0.7}};
  plan.problem.settings.method = method;
  plan.problem.settings.t_end = 1;
  if (integrate::find_method(method)->adaptive)
    plan.problem.settings.tolerance = 1e-8;
  else
    plan.problem.settings.step = 0.05;
  plan.sweep.quantities = {{Target::parameter, "gamma", Range{0, 1, 20}}, {Target::initial, "w", Range{0.2, 1, 10}}};
  return plan;
}

/// The columns of every block by its number.
std::map<std::size_t, std::vector<std::vector<double>>> columns_of_blocks(const Plan& plan,
                                                                          const Parallelism& options) {
  const Ensemble ensemble(plan, options);
  std::map<std::size_t, std::vector<std::vector<double>>> blocks;
  std::mutex mutex;
  EXPECT_TRUE(ensemble.run(
      {},
      [&](Block&& block) {
        const std::scoped_lock lock(mutex);
        EXPECT_TRUE(block.failures.empty()) << block.failures.front().reason;
        blocks.emplace(block.index, std::move(block.columns));
      },
      [](const MemberCounts&) { return true; }));
  return blocks;
}

class Threads : public testing::TestWithParam<std::pair<bool, const char*>> {};

}  // namespace

TEST_P(Threads, GiveTheMembersOfOneThread) {
  const auto [constrained, method] = GetParam();
  const Plan plan = plan_of(constrained, method);
  const auto alone = columns_of_blocks(plan, {1, 1});
  ASSERT_GT(alone.size(), 3U);
  EXPECT_EQ(columns_of_blocks(plan, {2, 1}), alone);
  EXPECT_EQ(columns_of_blocks(plan, {2, 0}), alone);
}

INSTANTIATE_TEST_SUITE_P(Methods, Threads,
                         testing::Values(std::pair{false, "reference"}, std::pair{false, "taylor"},
                                         std::pair{false, "runge-kutta-4"}, std::pair{false, "contact-splitting-4"},
                                         std::pair{false, "contact-galerkin-4"}, std::pair{false, "contact-energy-2"},
                                         std::pair{true, "reference"}, std::pair{true, "contact-gauss-4"},
                                         std::pair{true, "contact-dla-2"}, std::pair{true, "radau-5"}),
                         [](const auto& given) {
                           std::string name = given.param.second;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return (given.param.first ? "constrained_" : "free_") + name;
                         });

}  // namespace herglotz::ensemble
