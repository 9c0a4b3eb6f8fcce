// What is said of problems whose best controls jump, are singular, or are none at all.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"

namespace {

using namespace herglotz;

solve::Solution point_with(const std::string& rate, const std::string& bounds, const std::string& running,
                           const std::string& rest) {
  auto problem = io::parse_problem(
      fmt::format("[model]\nname = \"point\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"x\"]\nfibre = [\"v\"]\n"
                  "[control]\ncontrols = [\"u\"]\nkinematics = {{ v = \"{}\" }}\nbounds = {{ u = {} }}\n[cost]\n"
                  "running = \"{}\"\n[boundary]\n{}",
                  rate, bounds, running, rest),
      "point.toml");
  return solve::solve(problem);
}

// u = 0 is stationary for the cost -u^2, and the worst of all controls.
TEST(Verdict, AStationaryPointThatIsNoMaximumOfTheHamiltonianIsLeft) {
  const auto solution = point_with("u", "[-2, 2]", "-u^2", "duration = 1\n");
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, -4, 1e-8);
}

// Every control at its bounds that comes to x = 0.3 has the cost -4; one switch suffices.
TEST(Verdict, OfPathsThatSwitchOftenOneThatDoesNotIsTaken) {
  const auto solution = point_with("u", "[-2, 2]", "-u^2", "duration = 1\nfinal = { x = 0.3 }\n");
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, -4, 1e-8);
  EXPECT_LE(solution.switching_times.at("u").size(), 2U);
}

// x = 0 and |u| = 2 would cost -4, and the mesh finds ever more switches.
TEST(Verdict, ControlsThatSwitchEverFasterAreNamed) {
  const auto solution = point_with("u", "[-2, 2]", "-u^2 + 30*x^2", "duration = 1\n");
  ASSERT_EQ(solution.status, solve::Status::not_converged);
  EXPECT_THAT(solution.reason, testing::HasSubstr("the least cost may only be approached, by ever faster switching"));
  EXPECT_LT(solution.structure.size(), 1000U);
  for (const double t : solution.switching_times.at("u")) {
    EXPECT_GE(t, 0);
    EXPECT_LE(t, 1);
  }
}

TEST(Verdict, ADurationThatIsNeverTheBestIsNamedWhereShorterOnesHaveNoExtremal) {
  const auto solution = point_with("cos(u)", "[-10, 10]", "u", "duration = \"free\"\nfinal = { x = 1 }\n");
  ASSERT_EQ(solution.status, solve::Status::not_converged);
  EXPECT_THAT(solution.reason, testing::HasSubstr("no duration is the best"));
  EXPECT_LT(solution.iterations, 1000U);
}

// u - 2 pi k moves the point as u does, and costs 2 pi k less: the infimum is minus infinity, at every duration.
TEST(Verdict, AHamiltonianWithoutALargestValueIsNamed) {
  const std::string grows =
      "the Hamiltonian has no largest value: it grows without bound with -'u'; give it a lower bound";
  const auto without_end = point_with("cos(u)", "[-inf, inf]", "u", "duration = 2\n");
  ASSERT_EQ(without_end.status, solve::Status::not_converged);
  EXPECT_EQ(without_end.reason, grows);
  EXPECT_LT(without_end.iterations, 1000U);
  const auto free_time = point_with("cos(u)", "[-inf, inf]", "u", "duration = \"free\"\nfinal = { x = 1 }\n");
  ASSERT_EQ(free_time.status, solve::Status::not_converged);
  EXPECT_EQ(free_time.reason, grows);
  // Among controls near -pi/3 that one is the best.
  const auto local = point_with("cos(u)", "[-inf, inf]", "u", "duration = 2\nfinal = { x = 1 }\n");
  ASSERT_EQ(local.status, solve::Status::not_converged);
  EXPECT_NEAR(local.cost, -2 * std::numbers::pi / 3, 1e-9);
  EXPECT_EQ(local.reason, grows + "; what was found is the best among near controls only");
  EXPECT_THAT(point_with("u", "[-inf, inf]", "u^2/2", "duration = 2\nfinal = { x = 1 }\n").notes, testing::IsEmpty());
}

// With the wheel across, a car turns at any rate however slow it is.
TEST(Verdict, ATangentThatIsInfiniteInsideTheBoundsOfItsAngleIsNamed) {
  const auto car = [](const std::string& bounds) {
    return solve::solve(io::parse_problem(
        solve::testing::control_of({"x", "y", "th"}, {"v*cos(th)", "v*sin(th)", "v*tan(ph)"},
                                   "controls = [\"v\", \"ph\"]\n" + bounds +
                                       "[cost]\nrunning = \"v^2 + ph^2\"\n[boundary]\nduration = 2\n"
                                       "final = { x = 2, y = 1, th = 0 }\n[mesh]\nintervals = 10\n")));
  };
  const auto across = car("");
  const std::string grows = "the Hamiltonian has no largest value: it grows without bound as 'ph' comes to ";
  ASSERT_NE(across.status, solve::Status::solved);
  EXPECT_THAT(across.reason, testing::StartsWith(grows));
  const auto bounded = car("bounds = { ph = [-1, 1] }\n");
  EXPECT_THAT(bounded.reason, testing::Not(testing::HasSubstr("no largest value")));
  EXPECT_THAT(bounded.notes, testing::Not(testing::Contains(testing::HasSubstr("no largest value"))));
}

// x' = u, and the cost is the integral of 1 + x^2: with x = X(s) at the pace k the cost is the integral of
// (1 + X^2) ds/k.
TEST(Verdict, ACostThatFallsWithThePaceAloneIsNamed) {
  const auto solution = point_with("u", "[-inf, inf]", "1 + x^2", "duration = \"free\"\nfinal = { x = 1 }\n");
  ASSERT_EQ(solution.status, solve::Status::not_converged);
  EXPECT_THAT(solution.reason, testing::StartsWith("no duration is the best: the same path at twice the pace"));
  EXPECT_LT(solution.iterations, 1000U);
  // Along x = 0 there is no running cost, whatever the pace.
  const auto terminal = point_with("u", "[-inf, inf]", "x^2", "duration = \"free\"\nfinal = { x = 0 }\n");
  EXPECT_EQ(terminal.status, solve::Status::solved) << terminal.reason;
}

// The best control of x'' = u, |u| <= 1, for the integral of x^2 switches ever faster until x = x' = 0 [Ful63].
TEST(Verdict, SingularControlsOfAPathThatIsNotSolvedAreNamed) {
  const auto problem = io::parse_problem(R"toml([model]
name = "fuller"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["v", "w"]
[control]
controls = ["u"]
kinematics = { v = "y", w = "u" }
bounds = { u = [-1, 1] }
[cost]
running = "x^2"
[boundary]
duration = 3
[initial]
x = 1
[mesh]
max_intervals = 45
tolerance = 1e-12
)toml",
                                         "fuller.toml");
  const auto solution = solve::solve(problem);
  ASSERT_EQ(solution.status, solve::Status::not_converged);
  EXPECT_THAT(solution.reason, testing::HasSubstr("'u' is singular, inside bounds though the Hamiltonian is linear in "
                                                  "it, from t = 2.287 to 3"));
}

}  // namespace
