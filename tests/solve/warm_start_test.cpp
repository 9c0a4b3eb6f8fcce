// Solves that start from a solution.

#include <gtest/gtest.h>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/solution_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;

solve::Solution solved_from(const std::string& text, const solve::Solution& before) {
  control::Problem problem = io::parse_problem(text);
  io::set_guess(problem, before.trajectory.columns, before.iterate, "guess");
  return solve::solve(problem);
}

std::string replaced(std::string text, const std::string& before, const std::string& after) {
  text.replace(text.find(before), before.size(), after);
  return text;
}

}  // namespace

TEST(WarmStart, StaysAtASolution) {
  for (const std::string& text : {regulator, saturated}) {
    const auto first = solve::solve(io::parse_problem(text));
    const auto again = solved_from(text, first);
    ASSERT_EQ(again.status, solve::Status::solved) << again.reason;
    EXPECT_EQ(again.intervals, first.intervals);
    EXPECT_NEAR(again.cost, first.cost, 1e-12);
    EXPECT_EQ(again.structure, first.structure);
  }
}

TEST(WarmStart, FindsTheSolutionOfAnotherParameter) {
  const auto first = solve::solve(io::parse_problem(regulator));
  const std::string other = replaced(regulator, "g = -0.4", "g = 0.1");
  const auto cold = solve::solve(io::parse_problem(other));
  const auto warm = solved_from(other, first);
  ASSERT_EQ(warm.status, solve::Status::solved) << warm.reason;
  EXPECT_GT(std::abs(warm.cost - first.cost), 0.01);
  EXPECT_NEAR(warm.cost, cold.cost, 1e-9);
}

TEST(WarmStart, KeepsTheArcsOfControlsThatJump) {
  const std::string mass = R"toml([model]
name = "mass"
[algebroid]
kind = "tangent"
base = ["x", "v"]
fibre = ["dx", "dv"]
[parameters]
goal = 1
[control]
controls = ["u"]
kinematics = { dx = "v", dv = "u" }
bounds = { u = [-1, 1] }
[cost]
running = "1"
[boundary]
duration = "free"
final = { x = "goal", v = 0 }
[mesh]
intervals = 8
)toml";
  const auto first = solve::solve(io::parse_problem(mass));
  const auto warm = solved_from(replaced(mass, "goal = 1", "goal = 4"), first);
  ASSERT_EQ(warm.status, solve::Status::solved) << warm.reason;
  EXPECT_NEAR(warm.duration, 4, 1e-9);
  EXPECT_LT(warm.iterations, first.iterations);
  ASSERT_EQ(warm.switching_times.at("u").size(), 1u);
  EXPECT_NEAR(warm.switching_times.at("u").front(), 2, 1e-9);
  // The other way round, the arcs of the guess are the wrong ones.
  const auto back = solved_from(replaced(mass, "goal = 1", "goal = -1"), first);
  ASSERT_EQ(back.status, solve::Status::solved) << back.reason;
  EXPECT_NEAR(back.cost, 2, 1e-8);
  EXPECT_TRUE(back.structure.starts_with("u: min, max")) << back.structure;
}

TEST(WarmStart, GoesFromOneMethodToAnother) {
  control::Problem problem = io::parse_problem(regulator);
  problem.settings.method = "direct-lobatto-4";
  problem.settings.tolerance = 1e-6;
  const auto lobatto = solve::solve(problem);
  ASSERT_EQ(lobatto.status, solve::Status::solved) << lobatto.reason;
  io::set_guess(problem, lobatto.trajectory.columns, lobatto.iterate, "guess");
  const auto again = solve::solve(problem);
  ASSERT_EQ(again.status, solve::Status::solved) << again.reason;
  EXPECT_NEAR(again.cost, lobatto.cost, 1e-7);
  problem.settings.method = "direct-gauss-6";
  problem.settings.tolerance = 1e-8;
  EXPECT_NEAR(solve::solve(problem).cost, regulator_cost, 1e-10);
}

TEST(WarmStart, TakesAPathWithoutItsMesh) {
  const auto first = solve::solve(io::parse_problem(regulator));
  control::Problem problem = io::parse_problem(regulator);
  io::set_guess(problem, first.trajectory.columns, std::nullopt, "guess");
  const auto again = solve::solve(problem);
  ASSERT_EQ(again.status, solve::Status::solved) << again.reason;
  EXPECT_NEAR(again.cost, regulator_cost, 1e-10);
}
