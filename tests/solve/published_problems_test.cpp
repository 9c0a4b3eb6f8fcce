// Problems with published solutions, as a user writes them, without a guess of the path.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;

solve::Solution solved(const std::string& text) {
  return solve::solve(io::parse_problem(text));
}

/// A car that turns at most at the rate 1 and goes forwards and backwards, in least time.
solve::Solution car_to(double x, double y, double th) {
  return solved(control_of({"x", "y", "th"}, {"v*cos(th)", "v*sin(th)", "w"},
                           fmt::format("controls = [\"v\", \"w\"]\nbounds = {{ v = [-1, 1], w = [-1, 1] }}\n[cost]\n"
                                       "running = \"1\"\n[boundary]\nduration = \"free\"\n"
                                       "final = {{ x = {}, y = {}, th = {} }}\n",
                                       x, y, th)));
}

}  // namespace

// Lengths of the shortest words of [RS90].
TEST(PublishedProblems, CarsThatReverseTakeTheWordsOfReedsAndShepp) {
  struct Turn {
    double x, y, th, length;
  };
  for (const auto& [x, y, th, length] : {Turn{0, 1, 0, 2.636232143305636}, Turn{3, 2, 1, 3.651750120748352},
                                         Turn{-2, 1, -2, 2.9389096119654186}, Turn{0, 4, 0, 5.478120721990417}}) {
    const auto solution = car_to(x, y, th);
    ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
    EXPECT_NEAR(solution.cost, length, 1e-8) << x << ' ' << y << ' ' << th;
  }
}

// [DMM04] gives 9.14093 on a coarse mesh. By symmetry the angle switches half way.
TEST(PublishedProblems, RobotArmInLeastTime) {
  const std::string inertia = "(((5 - r)^3 + r^3)/3)";
  const auto solution = solved(control_of(
      {"r", "th", "ph", "dr", "dth", "dph"},
      {"dr", "dth", "dph", "ur/5", "uth/(" + inertia + "*sin(ph)^2)", "uph/" + inertia},
      "controls = [\"ur\", \"uth\", \"uph\"]\nbounds = { ur = [-1, 1], uth = [-1, 1], uph = [-1, 1] }\n[cost]\n"
      "running = \"1\"\n[boundary]\nduration = \"free\"\n"
      "final = { r = 4.5, th = \"2*pi/3\", ph = \"pi/4\", dr = 0, dth = 0, dph = 0 }\n"
      "[initial]\nr = 4.5\nph = \"pi/4\"\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 9.14093, 5e-5);
  EXPECT_NEAR(solution.switching_times.at("uth").at(0), solution.cost / 2, 1e-8);
}

// [DMM04]: the tangent of the angle of thrust is linear in time, and the least time is 0.554570878.
TEST(PublishedProblems, ParticleIsSteeredByALinearTangent) {
  const auto solution = solved(
      control_of({"x", "y", "p", "q"}, {"p", "q", "100*cos(u)", "100*sin(u)"},
                 "controls = [\"u\"]\nbounds = { u = [\"-pi/2\", \"pi/2\"] }\n[cost]\nrunning = \"1\"\n[boundary]\n"
                 "duration = \"free\"\nfinal = { y = 5, p = 45, q = 0 }\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 0.554570878, 1e-8);
}

// [DMM04] gives the mixing -0.048056; the middle arc is singular.
TEST(PublishedProblems, CatalystsAreMixedAlongASingularArc) {
  const auto solution =
      solved(control_of({"a", "b"}, {"u*(10*b - a)", "u*(a - 10*b) - (1 - u)*b"},
                        "controls = [\"u\"]\nbounds = { u = [0, 1] }\n[cost]\nterminal = \"a + b - 1\"\n[boundary]\n"
                        "duration = 1\n[initial]\na = 1\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, -0.048056, 1e-6);
  EXPECT_THAT(solution.structure, testing::StartsWith("u: max, singular, min"));
}

// [MBKK05]: the oscillator of Rayleigh comes to rest in the time 3.66817, with switches at 1.12051 and 3.31005.
TEST(PublishedProblems, RayleighsOscillatorInLeastTime) {
  const auto solution =
      solved(control_of({"x", "v"}, {"v", "-x + v*(1.4 - 0.14*v^2) + 4*u"},
                        "controls = [\"u\"]\nbounds = { u = [-1, 1] }\n[cost]\nrunning = \"1\"\n[boundary]\n"
                        "duration = \"free\"\nfinal = { x = 0, v = 0 }\n[initial]\nx = -5\nv = -5\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 3.66817, 5e-6);
  EXPECT_THAT(solution.switching_times.at("u"),
              testing::ElementsAre(testing::DoubleNear(1.12051, 5e-6), testing::DoubleNear(3.31005, 5e-6)));
}
