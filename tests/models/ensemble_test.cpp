// Ensembles of whole models.

#include "herglotz/ensemble/ensemble.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>

#include "herglotz/analyse/run_facts.hpp"
#include "herglotz/compile/compile.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/plan_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::ensemble {
namespace {

constexpr const char* falling = R"(
[model]
name = "falling"
[algebroid]
kind = "tangent"
base = ["h"]
fibre = ["v"]
[parameters]
g = 1.0
[dynamics]
lagrangian = "v^2/2 - g*h"
[events]
ground = { at = "h", direction = "falling", stop = true }
[initial]
h = 0.8
[simulation]
method = "reference"
tolerance = 1e-10
t_end = 4.0
output_step = 1.0
[sweep]
keep = "trajectory"
columns = ["h"]
[sweep.parameters]
g = [0.5, 0.1]
)";

// h = 0.8 - g t^2/2 reaches the ground at t = 1.79 for g = 1/2, and at t = 4 for g = 1/10.
TEST(Ensemble, KeepsNoRowOfARunAfterTheEventThatEndedIt) {
  const Ensemble ensemble(io::parse_plan(falling, "falling.toml"));
  ASSERT_EQ(ensemble.layout().times, (std::vector<double>{0, 1, 2, 3, 4}));
  Block found;
  EXPECT_TRUE(ensemble.run({}, [&](Block&& block) { found = std::move(block); }));
  ASSERT_TRUE(found.failures.empty());
  const auto& h = found.columns.at(0);
  ASSERT_EQ(h.size(), 10u);
  EXPECT_EQ(h[0], 0.8);
  EXPECT_NEAR(h[1], 0.55, 1e-9);
  for (std::size_t k = 2; k < 5; ++k) EXPECT_TRUE(std::isnan(h[k])) << k;
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(h[5 + k], 0.8 - 0.05 * static_cast<double>(k * k), 1e-9);
}

// What is not kept is not made, and what is kept has the same bits.
TEST(Ensemble, MakesTheColumnsThatAreKeptAsIfAllWere) {
  const auto columns_of = [](const std::string& wanted) {
    auto plan = io::parse_plan(falling, "falling.toml");
    plan.problem.system.events.clear();
    plan.output.columns.clear();
    if (!wanted.empty()) plan.output.columns.push_back(wanted);
    std::map<std::string, std::vector<double>> found;
    const Ensemble ensemble(std::move(plan));
    EXPECT_TRUE(ensemble.run({}, [&](Block&& block) {
      for (std::size_t c = 0; c < block.columns.size(); ++c)
        found[std::string(ensemble.layout().columns[c].first)] = block.columns[c];
    }));
    return found;
  };
  const auto all = columns_of("");
  EXPECT_GE(all.size(), 7U);
  EXPECT_NE(all.at("energy_residual").back(), 0);
  for (const auto& [name, values] : all) {
    const auto alone = columns_of(name);
    ASSERT_EQ(alone.size(), 1U) << name;
    EXPECT_EQ(alone.at(name), values) << name;
  }
}

/// Bits, so that NaN equals NaN and 0 does not equal -0.
std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

// Factors that grow, and that fall: the samples that may have the largest residual are one, or many. Of rows that are
// not kept only the laws are followed.
TEST(Ensemble, KeepsTheLastRowAndTheLargestResidualsOfRuns) {
  const std::vector<double> dampings{-0.6, -0.05, 0.0, 0.05, 0.1, 0.3, 0.6, 1.2, 2.4};
  for (const std::string method : {"runge-kutta-4", "contact-gauss-4"}) {
    auto problem = io::parse_model(std::string(io::gallery_text("damped-pendulum")), "damped-pendulum");
    problem.settings.method = method;
    problem.settings.step = 0.02;
    problem.settings.t_end = 20;
    problem.settings.output_every = 1;
    const simulate::Simulator simulator(problem.system, {}, problem.initial);
    std::vector<analyse::Trajectory> runs;
    for (const double gamma : dampings)
      runs.push_back(simulator.run(problem.initial, problem.settings, {{"gamma", gamma}}));
    for (const int lanes : {1, 4, 8}) {
      if (lanes > compile::native_lanes()) continue;
      Plan plan;
      plan.problem = io::parse_model(std::string(io::gallery_text("damped-pendulum")), "damped-pendulum");
      plan.problem.settings = problem.settings;
      plan.sweep.quantities = {{Target::parameter, "gamma", dampings}};
      const Ensemble ensemble(std::move(plan), {1, lanes});
      EXPECT_TRUE(ensemble.run({}, [&](Block&& block) {
        for (std::size_t k = 0; k < block.members; ++k) {
          const analyse::Trajectory& run = runs[block.first + k];
          for (std::size_t c = 0; c < block.columns.size(); ++c) {
            const std::string name(ensemble.layout().columns[c].first);
            EXPECT_EQ(bits(block.columns[c][k]), bits(run[name].back())) << name << ", " << method;
          }
          const auto largest = analyse::largest_residuals(run.facts);
          ASSERT_EQ(block.largest_residuals.size(), largest.size());
          for (std::size_t law = 0; law < largest.size(); ++law)
            EXPECT_EQ(bits(block.largest_residuals[law][k]), bits(largest[law].second)) << largest[law].first;
        }
      }));
    }
  }
}

// 1 kg to -1 kg: the member without mass has no motion and cannot go in a lane.
constexpr const char* masses = R"(
[model]
name = "masses"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[parameters]
m = 1.0
[dynamics]
lagrangian = "m*v^2/2 - x^2/2 - z/10"
[initial]
x = 0.3
[simulation]
method = "reference"
tolerance = 1e-6
t_end = 1.0
[sweep]
keep = "final"
[sweep.parameters]
m = { from = 1.0, to = -1.0, count = 301 }
)";

std::map<std::size_t, Block> blocks_of(const Parallelism& parallelism) {
  const Ensemble ensemble(io::parse_plan(masses, "masses.toml"), parallelism);
  std::map<std::size_t, Block> blocks;
  std::mutex mutex;
  const auto keep = [&](Block&& block) {
    const std::scoped_lock lock(mutex);
    const std::size_t index = block.index;
    EXPECT_TRUE(blocks.emplace(index, std::move(block)).second) << "block " << index << " again";
  };
  EXPECT_TRUE(ensemble.run({}, keep));
  EXPECT_EQ(blocks.size(), ensemble.layout().blocks());
  return blocks;
}

TEST(Ensemble, HandsOverEveryBlockOnceWithAllItsMembersWhateverTheLanesAndThreads) {
  const auto alone = blocks_of({1, 1});
  ASSERT_GT(alone.size(), 2u);
  for (const int threads : {1, 3}) {
    const auto blocks = blocks_of({threads, 0});
    ASSERT_EQ(blocks.size(), alone.size());
    std::size_t failures = 0;
    for (const auto& [index, block] : blocks) {
      const Block& expected = alone.at(index);
      EXPECT_EQ(block.first, expected.first);
      EXPECT_EQ(block.steps, expected.steps);
      ASSERT_EQ(block.columns.size(), expected.columns.size());
      failures += block.failures.size();
      for (const auto& failure : block.failures) EXPECT_EQ(failure.member, 150u) << failure.reason;
      for (std::size_t c = 0; c < block.columns.size(); ++c) {
        ASSERT_EQ(block.columns[c].size(), block.members);
        for (std::size_t k = 0; k < block.members; ++k) {
          if (block.first + k == 150)
            EXPECT_TRUE(std::isnan(block.columns[c][k]));
          else
            EXPECT_EQ(block.columns[c][k], expected.columns[c][k]) << "member " << block.first + k;
        }
      }
    }
    EXPECT_EQ(failures, 1u);
  }
}

TEST(Ensemble, EndsWhereItsBlocksCannotBeTaken) {
  for (const int threads : {1, 2}) {
    const Ensemble ensemble(io::parse_plan(masses, "masses.toml"), {threads, 0});
    const auto full = [](Block&&) { throw std::runtime_error("no room"); };
    EXPECT_THROW(ensemble.run({}, full), std::runtime_error);
  }
}

// A residual at the end is measured by the largest term along the run, which one row at the end does not know. Single
// runs read the model again, since formulas of a graph depend on what was derived in it before.
TEST(Ensemble, MeasuresResidualsAsARunOfItsOwnBitForBit) {
  const std::vector<double> gammas{0.15, 0.3, 0.05, 0.1, 0.2};
  const auto text = std::string(io::gallery_text("heavy-top")) +
                    "\n[sweep]\ncolumns = [\"energy_residual\", \"momentum_residual.vertical\", "
                    "\"momentum_residual.body_axis_3\", \"energy_invariant\"]\n"
                    "[sweep.parameters]\ngamma = [0.15, 0.3, 0.05, 0.1, 0.2]\n";
  for (const std::string method :
       {"reference", "taylor", "runge-kutta-4", "contact-gauss-4", "contact-energy-2", "lie-hph-4"}) {
    const auto plan = [&] {
      auto made = io::parse_plan(text, "heavy-top.toml");
      auto& settings = made.problem.settings;
      settings.method = method;
      settings.t_end = 2;
      if (!integrate::find_method(method)->adaptive) {
        settings.tolerance.reset();
        settings.step = 0.04;
      }
      return made;
    };
    const Ensemble ensemble(plan());
    Block found;
    EXPECT_TRUE(ensemble.run({}, [&](Block&& block) { found = std::move(block); }));
    ASSERT_TRUE(found.failures.empty()) << method;
    ASSERT_EQ(found.columns.size(), 4U) << method;
    const auto problem = plan().problem;
    const simulate::Simulator simulator(problem.system, {}, problem.initial);
    for (std::size_t k = 0; k < gammas.size(); ++k) {
      const auto run = simulator.run(problem.initial, problem.settings, {{"gamma", gammas[k]}});
      for (std::size_t c = 0; c < found.columns.size(); ++c) {
        const auto& name = ensemble.layout().columns[c].first;
        EXPECT_EQ(found.columns[c][k], run[name].back()) << name << " of member " << k << " by " << method;
      }
    }
  }
}

}  // namespace
}  // namespace herglotz::ensemble
