// Extremals at single points and at many of them together.

#include "extremal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "herglotz/io/problem_file.hpp"
#include "problems.hpp"

namespace {

using namespace herglotz;
using solve::Hold;
using solve::Point;
using solve::Stage;
using solve::StageAndHold;

constexpr std::size_t count = 21;  ///< several registers, and some points beyond

/// Returns stages whose costates have a price of cost of 1.
std::vector<Stage> stages_of(const solve::Setup& setup) {
  std::vector<Stage> stages;
  double phase = 0;
  const auto values = [&](std::size_t size) {
    solve::Values result(size);
    for (double& value : result) value = std::sin(phase += 1.7);
    return result;
  };
  for (std::size_t k = 0; k < count; ++k) {
    Stage stage{0.1 * static_cast<double>(k), values(setup.d()), values(setup.d()), values(setup.m()),
                values(setup.along()),        values(setup.m())};
    stage.P[setup.form.cost()] = 1;
    stages.push_back(std::move(stage));
  }
  return stages;
}

}  // namespace

TEST(Extremal, PointsHaveTheSameBitsAloneAndTogether) {
  for (const std::string& text : {solve::testing::attitude, solve::testing::sleigh}) {
    const auto problem = io::parse_problem(text);
    const solve::Setup setup(problem);
    const auto stages = stages_of(setup);
    std::vector<const Stage*> all;
    for (const Stage& stage : stages) all.push_back(&stage);
    const auto together = evaluate(setup, all);
    ASSERT_EQ(together.size(), count);
    for (std::size_t k = 0; k < count; ++k) {
      const Point alone = evaluate(setup, stages[k]);
      EXPECT_EQ(together[k].F, alone.F);
      EXPECT_EQ(together[k].along, alone.along);
      EXPECT_EQ(together[k].K, alone.K);
      EXPECT_EQ(together[k].K_v, alone.K_v);
      EXPECT_EQ(together[k].K_w, alone.K_w);
      EXPECT_EQ(together[k].K_t, alone.K_t);
    }
  }
}

TEST(Extremal, StationaryControlsHaveTheSameBitsAloneAndTogether) {
  const auto problem = io::parse_problem(solve::testing::sleigh);
  const solve::Setup setup(problem);
  const std::vector<Hold> held(setup.problem.controls.size(), Hold::free);
  std::vector<StageAndHold> starts;
  for (const Stage& stage : stages_of(setup)) starts.push_back({stage, &held});
  const auto together = stationary(setup, starts);
  ASSERT_EQ(together.size(), count);
  for (std::size_t k = 0; k < count; ++k) {
    const auto alone = stationary(setup, starts[k].stage, held);
    ASSERT_EQ(together[k].has_value(), alone.has_value());
    ASSERT_TRUE(alone.has_value());
    EXPECT_EQ(together[k]->w, alone->w);
    EXPECT_EQ(together[k]->kappa, alone->kappa);
    const Point point = evaluate(setup, *alone);
    for (const double slope : point.K_w) EXPECT_NEAR(slope, 0, 1e-12);
  }
}
