// Pontryagin's principle: H is largest among all controls, and a path with better ones is no solution [PBGM62].

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "solve/problems.hpp"
#include "solve/residual.hpp"

namespace {

using namespace herglotz;
using solve::testing::abnormal;
using solve::testing::attitude;
using solve::testing::control_of;
using solve::testing::heisenberg;
using solve::testing::residual;
using solve::testing::with;

/// A point with x' = rate from x = 0.
solve::Solution point(const std::string& rate, const std::string& bounds, const std::string& running,
                      const std::string& rest) {
  return solve::solve(io::parse_problem(control_of(
      {"x"}, {rate}, "controls = [\"u\"]\n" + bounds + "[cost]\nrunning = \"" + running + "\"\n[boundary]\n" + rest)));
}

void expect_least(const solve::Solution& solution, double cost, double accuracy = 1e-7) {
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, cost, accuracy);
  ASSERT_TRUE(solution.comparison.has_value());
  EXPECT_TRUE(solution.comparison->of_all) << solution.comparison->why;
  EXPECT_GE(solution.comparison->times, 3 * solution.intervals);
  EXPECT_LE(residual(solution, "needle"), 1e-8);
}

void expect_refuted(const solve::Solution& solution, const std::string& control) {
  ASSERT_EQ(solution.status, solve::Status::not_converged) << solution.cost;
  EXPECT_THAT(solution.reason, testing::StartsWith("by Pontryagin's principle the path is not the best: at t = "));
  EXPECT_THAT(solution.reason, testing::HasSubstr("with '" + control + "' = "));
  EXPECT_TRUE(std::isnan(solution.cost_error));
  EXPECT_FALSE(solution.trajectory.facts.complete);
}

}  // namespace

// With u = -0.6 the point comes to 0.3 as with u = 0.3, at four times the cost. Each is the best among near controls.
TEST(MaximumCondition, LeavesALocalMinimumForABetterBranchOfTheRate) {
  for (const char* bounds : {"bounds = { u = [-1, 1] }\n", ""})
    expect_least(point("max(u, -u/2)", bounds, "u^2/2", "duration = 1\nfinal = { x = 0.3 }\n[guess]\nu = \"-0.6\"\n"),
                 0.045);
}

// The cost u^4 - u^2 - u/2 has two minima, the better one at the root of 4 u^3 - 2 u = 1/2 above 0.
TEST(MaximumCondition, LeavesTheWorseOfTwoMinimaOfTheHamiltonian) {
  double u = 1;
  for (int i = 0; i < 50; ++i) u -= (4 * u * u * u - 2 * u - 0.5) / (12 * u * u - 2);
  for (const char* bounds : {"bounds = { u = [-2, 2] }\n", ""})
    expect_least(point("u", bounds, "u^4 - u^2 - u/2", "duration = 1\n[guess]\nu = \"-0.6\"\n"),
                 u * u * u * u - u * u - u / 2);
}

TEST(MaximumCondition, LooksAtAllMinimaBetweenTheBounds) {
  // sin(5 u) + u^2 has four minima on [-2, 2].
  double u = -0.3;
  for (int i = 0; i < 50; ++i) u -= (5 * std::cos(5 * u) + 2 * u) / (2 - 25 * std::sin(5 * u));
  expect_least(point("u", "bounds = { u = [-2, 2] }\n", "sin(5*u) + u^2", "duration = 1\n[guess]\nu = \"1.5\"\n"),
               std::sin(5 * u) + u * u);
}

// The same for a maximum: the better of both ends is the one with u > 0.
TEST(MaximumCondition, HoldsForCostsThatAreMaximised) {
  const auto solution = point("u", "bounds = { u = [-1, 1] }\n", "u^2 - u^4 + u/10\"\nsense = \"maximise",
                              "duration = 1\n[guess]\nu = \"-0.6\"\n");
  double u = 1;
  for (int i = 0; i < 50; ++i) u -= (2 * u - 4 * u * u * u + 0.1) / (2 - 12 * u * u);
  expect_least(solution, u * u - u * u * u * u + u / 10);
}

// The mean of u is 0.6 at the cost -1/4, by switching between both minima of u^4 - u^2; u = 0.6 costs -0.2304 and is
// the best among near controls.
TEST(MaximumCondition, SwitchesBetweenTwoMinimaOfTheHamiltonian) {
  const auto solution = point("u", "bounds = { u = [-1, 1] }\n", "u^4 - u^2", "duration = 1\nfinal = { x = 0.6 }\n");
  expect_least(solution, -0.25);
  for (const double u : solution.trajectory["u"]) EXPECT_NEAR(std::abs(u), std::sqrt(0.5), 1e-6);
}

// Where a jump is left inside intervals of no length that counts, H at their stages is not that of the best controls.
TEST(MaximumCondition, SaysThatAControlJumpsInsideAnInterval) {
  const auto solution = point("u", "bounds = { u = [-2, 2] }\n", "u^4 - u^2", "duration = 1\nfinal = { x = 0.6 }\n");
  expect_least(solution, -0.25);
  EXPECT_GT(residual(solution, "hamiltonian"), 0.01);
  EXPECT_THAT(solution.notes, testing::Contains(testing::HasSubstr("a control jumps inside intervals")));
  EXPECT_THAT(solution.notes, testing::Not(testing::Contains(testing::HasSubstr("do not come to best values"))));
}

// Of min(u^2, 1/4) only the branch on which a path is counts for controls near it. Switching between u = 1 and
// u = 1 - sqrt(3/4), where the tangent of u^2 meets 1/4 at u = 1, comes to x = 0.4 at a lower cost than u = 0.4 does.
TEST(MaximumCondition, ComparesBothBranchesOfAMinimum) {
  const double near = 1 - std::sqrt(0.75);
  expect_least(point("u", "bounds = { u = [-1, 1] }\n", "min(u^2, 0.25)", "duration = 1\nfinal = { x = 0.4 }\n"),
               near * near + 2 * near * (0.4 - near));
}

// With p = 2 - t, u = 1 costs 1/4 and is the best until both branches of H are equal: (2 - t)^2/4 = 2 - t - 1/4. The
// control then jumps to p/2, at a time that is a node.
TEST(MaximumCondition, FindsTheTimeOfAJumpBetweenTwoBranches) {
  const auto solution = point("u", "bounds = { u = [-1, 1] }\n", "min(u^2, 0.25) - x", "duration = 2\n");
  const double jump = std::sqrt(3);  // 2 - jump solves s^2 - 4 s + 1 = 0
  expect_least(solution, 0.25 * jump - (2 * jump - jump * jump / 2) - std::pow(2 - jump, 3) / 12, 1e-8);
  ASSERT_EQ(solution.switching_times.at("u").size(), 1U);
  EXPECT_NEAR(solution.switching_times.at("u").front(), jump, 1e-7);
}

// A concave kink: every control at its bounds that comes back to 0 costs -2, and u = 0 is stationary and the worst.
TEST(MaximumCondition, LeavesConcaveKinks) {
  for (const char* running : {"min(u, -u)", "-abs(u)"})
    expect_least(point("u", "bounds = { u = [-1, 1] }\n", running, "duration = 2\nfinal = { x = 0 }\n"), -2, 1e-6);
}

// The integral of (u^2 - 1)^2 + x^2 is only approached to be 0, by ever faster switching between u = -1 and 1 [PBGM62].
TEST(MaximumCondition, NamesABetterControlWhereThereIsNoBestPath) {
  const auto least = point("u", "bounds = { u = [-2, 2] }\n", "(u^2 - 1)^2 + x^2 + u/20", "duration = 1\n");
  expect_refuted(least, "u");
  // Of the paths that are found the best is kept.
  const auto most =
      point("u", "bounds = { u = [-2, 2] }\n", "-(u^2 - 1)^2 - x^2 - u/20\"\nsense = \"maximise", "duration = 1\n");
  expect_refuted(most, "u");
  EXPECT_LT(least.cost, 0.1);
  EXPECT_NEAR(most.cost, -least.cost, 1e-9);
}

// (u^2 + w^2 - 1)^2/4 + u w/4 + u/10 couples both controls; the costs of its minima differ by the sign of u alone.
TEST(MaximumCondition, SearchesCoupledControlsTogether) {
  const auto solution = solve::solve(io::parse_problem(control_of(
      {"x"}, {"u"},
      "controls = [\"u\", \"w\"]\nbounds = { u = [-1, 1], w = [-1, 1] }\n[cost]\nrunning = "
      "\"(u^2 + w^2 - 1)^2/4 + u*w/4 + u/10\"\n[boundary]\nduration = 1\n[guess]\nu = \"0.7\"\nw = \"-0.7\"\n")));
  double u = -0.8;
  double w = 0.75;
  for (int i = 0; i < 200; ++i) {
    u -= 0.3 * (u * (u * u + w * w - 1) + w / 4 + 0.1);
    w -= 0.3 * (w * (u * u + w * w - 1) + u / 4);
  }
  const double q = u * u + w * w - 1;
  expect_least(solution, q * q / 4 + u * w / 4 + u / 10);
}

// u <= x - 0.3 takes away the better minimum of u^4 - u^2 - u/2, the one above 0.
TEST(MaximumCondition, ComparesControlsWithWhichInequalitiesHold) {
  const auto solution = point("0", "bounds = { u = [-2, 2] }\npath = [\"u + 0.3 - x\"]\n", "u^4 - u^2 - u/2",
                              "duration = 1\n[guess]\nu = \"-0.6\"\n");
  double u = -0.5;
  for (int i = 0; i < 50; ++i) u -= (4 * u * u * u - 2 * u - 0.5) / (12 * u * u - 2);
  expect_least(solution, u * u * u * u - u * u - u / 2);
}

// u + w <= 1 holds both back at 1/2. K + delta.D is convex, and not above K.
TEST(MaximumCondition, IsProvedWhereInequalitiesDetermineControls) {
  expect_least(solve::solve(io::parse_problem(control_of(
                   {"x"}, {"u"},
                   "controls = [\"u\", \"w\"]\nbounds = { u = [0, 2], w = [0, 2] }\npath = [\"u + w - 1\"]\n[cost]\n"
                   "running = \"(u^2 + w^2)/2 - 2*u - 2*w\"\n[boundary]\nduration = 1\n"))),
               -1.75);
}

// Convex functions of controls without bounds are compared with all of them in one piece.
TEST(MaximumCondition, IsProvedForConvexHamiltoniansWithoutBounds) {
  expect_least(point("u", "", "u^4/4", "duration = 1\nfinal = { x = 0.5 }\n"), 1.0 / 64);
  expect_least(point("u", "", "sqrt(1 + u^2)", "duration = 2\nfinal = { x = 1 }\n"), std::sqrt(5));
  expect_least(point("u", "", "cosh(u)", "duration = 2\nfinal = { x = 1 }\n"), 2 * std::cosh(0.5));
  expect_least(point("u", "", "exp(u) - u", "duration = 1\nfinal = { x = 0.5 }\n"), std::exp(0.5) - 0.5);
}

// Zermelo's boat crosses a stream in least time; its heading has no bounds, and one period has them all.
TEST(MaximumCondition, IsProvedForHeadings) {
  const auto solution = solve::solve(io::parse_problem(control_of(
      {"x", "y"}, {"cos(th) + 0.5", "sin(th)"},
      "controls = [\"th\"]\n[cost]\nrunning = \"1\"\n[boundary]\nduration = \"free\"\nfinal = { x = 0, y = 1 }\n"
      "[guess]\nth = \"1.5\"\nduration = 1\n")));
  expect_least(solution, 1 / std::sqrt(0.75));
}

// The force enters the equations of motion; the costate of the velocity is the multiplier of the equation.
TEST(MaximumCondition, HoldsForForces) {
  const auto moved = [](const std::string& running) {
    return solve::solve(io::parse_problem(
        "[algebroid]\nkind = \"tangent\"\nbase = [\"x\"]\nfibre = [\"v\"]\n[dynamics]\nlagrangian = \"v^2\"\n"
        "forces = { v = \"u\" }\n[control]\ncontrols = [\"u\"]\nbounds = { u = [-2, 2] }\n[cost]\nrunning = \"" +
        running + "\"\nterminal = \"-v\"\n[boundary]\nduration = 1\n[initial]\nx = 0\nv = 0\n[guess]\nu = \"-0.6\"\n"));
  };
  // v' = u/2, so that K = u^4 - u^2 - u/2.
  double u = 1;
  for (int i = 0; i < 50; ++i) u -= (4 * u * u * u - 2 * u - 0.5) / (12 * u * u - 2);
  expect_least(moved("u^4 - u^2"), u * u * u * u - u * u - u / 2);
}

// u^3 - 2 u^2 lies above the tangent that meets it at u = -1 and u = 3/2. The control jumps between these when the
// costate is the slope 3/4 of the tangent.
TEST(MaximumCondition, FindsOneJumpOfAPathThatSwitchesOften) {
  const auto solution =
      point("u", "bounds = { u = [-1, 2] }\n", "u^3 - 2*u^2 + x/5", "duration = 1\nfinal = { x = 0.2 }\n");
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_TRUE(solution.comparison->of_all);
  ASSERT_EQ(solution.switching_times.at("u").size(), 1U);
  const double jump = solution.switching_times.at("u").front();
  // From the jump on 3 u^2 - 4 u = 3/4 + (t - jump)/5, and x comes from -jump to 0.2.
  double x = -jump;
  double cost = -3 * jump - jump * jump / 10;
  constexpr int steps = 20000;
  const double h = (1 - jump) / steps;
  for (int k = 0; k < steps; ++k) {
    const double u = (4 + std::sqrt(16 + 12 * (0.75 + (k + 0.5) * h / 5))) / 6;
    cost += h * (u * u * u - 2 * u * u + (x + h * u / 2) / 5);
    x += h * u;
  }
  EXPECT_NEAR(x, 0.2, 1e-7);
  EXPECT_NEAR(solution.cost, cost, 1e-7);
}

// The rate is the same wherever x is, so that the cost is the integral of the least K(u) = u^2 - p (u^3 - u), p = 3 - 3
// t.
TEST(MaximumCondition, ComparesFarControlsOfRatesThatAreNotConvex) {
  const auto solution =
      point("u^3 - u", "bounds = { u = [-1.5, 1.5] }\n", "u^2 - 3*x", "duration = 1\n[guess]\nu = \"-0.5\"\n");
  constexpr int times = 4000;
  double cost = 0;
  for (int k = 0; k < times; ++k) {
    const double p = 3 - 3 * (k + 0.5) / times;
    const auto K = [&](double u) { return u * u - p * (u * u * u - u); };
    // K has a minimum inside where it rises with its slope 2 u - p (3 u^2 - 1), and is low at the upper bound.
    const double inside = (1 - std::sqrt(1 + 3 * p * p)) / (3 * p);
    cost += std::min({K(inside), K(1.5), K(-1.5)}) / times;
  }
  expect_least(solution, cost, 1e-6);
}

// K = (3 - t) cos(u) + sin(2 u)/2 + u/20 is least at the lower bound at last, and refining the mesh keeps it there.
TEST(MaximumCondition, KeepsBetterControlsAtTheirBounds) {
  const auto solution = point("cos(u)", "bounds = { u = [-7, 7] }\n", "sin(2*u)/2 + u/20 + x", "duration = 3\n");
  constexpr int times = 1000;
  double cost = 0;
  for (int k = 0; k < times; ++k) {
    const double p = 3 - 3 * (k + 0.5) / times;
    double least = 0;
    for (int i = 0; i <= 14000; ++i) {
      const double u = -7 + i / 1000.0;
      least = std::min(least, p * std::cos(u) + std::sin(2 * u) / 2 + u / 20);
    }
    cost += 3 * least / times;
  }
  expect_least(solution, cost, 1e-5);
  EXPECT_EQ(solution.trajectory["u"].back(), -7);
}

// K = u^4/8 + p (|u| - u^2) with p = 1 - t is 0 at its kink, and lower near 2 sqrt(p) as long as p is large. The
// derivative of |u| by which kinks are followed is 0 at u = 0, and the second one of K is -2 p, but the kink is a
// minimum.
TEST(MaximumCondition, HoldsAtConvexKinks) {
  const auto solution = point("abs(u) - u^2", "bounds = { u = [-2, 2] }\n", "u^4/8 + x", "duration = 1\n");
  constexpr int times = 2000;
  double cost = 0;
  for (int k = 0; k < times; ++k) {
    const double p = 1 - (k + 0.5) / times;
    double least = 0;
    for (int i = 1; i <= 4000; ++i) {
      const double u = i / 2000.0;
      least = std::min(least, u * u * u * u / 8 + p * (u - u * u));
    }
    cost += least / times;
  }
  expect_least(solution, cost, 1e-6);
}

// A thrust of at most 1 by its size and angle: H is linear in the size, and no node is where it jumps. Along the line
// to the end it is the least fuel of [AF66].
TEST(MaximumCondition, HoldsForThrustsWithAnAngle) {
  const auto solution = solve::solve(io::parse_problem(control_of(
      {"x", "y", "vx", "vy"}, {"vx", "vy", "T*cos(b)", "T*sin(b)"},
      "controls = [\"T\", \"b\"]\nbounds = { T = [0, 1] }\n[cost]\nrunning = \"T\"\n[boundary]\nduration = 3\n"
      "final = { x = 0.6, y = 0.8, vx = 0, vy = 0 }\n[guess]\nb = \"0.9\"\n")));
  expect_least(solution, 3 - std::sqrt(5));
}

// u = 0 keeps x = 0, where -x^2 is largest. H does not depend on u there, and the second variation is negative.
TEST(MaximumCondition, IsLeftWithPathsAlongWhichTheSecondVariationIsNegative) {
  const auto solution = point("u", "bounds = { u = [-1, 1] }\n", "0\"\nterminal = \"-x^2", "duration = 1\n");
  expect_least(solution, -1);
  EXPECT_EQ(std::abs(solution.trajectory["u"].front()), 1);
  // The straight way over a hill is stationary as well, and the ways around it are minima.
  const auto around = solve::solve(io::parse_problem(
      control_of({"x", "y"}, {"u", "w"},
                 "controls = [\"u\", \"w\"]\n[cost]\nrunning = \"(u^2 + w^2)/2 + 8*exp(-8*(x^2 + y^2))\"\n[boundary]\n"
                 "duration = 2\nfinal = { x = 1, y = 0 }\n[initial]\nx = -1\n")));
  ASSERT_EQ(around.status, solve::Status::solved) << around.reason;
  EXPECT_EQ(residual(around, "negative_directions"), 0);
  EXPECT_LT(around.cost, 1.8);
  EXPECT_GT(std::abs(around.trajectory["y"][around.trajectory["y"].size() / 2]), 0.3);
}

// Steps on groups have the values of the means of their ends, at which K is within the error of the mesh.
TEST(MaximumCondition, HoldsForStepsOnGroups) {
  auto problem = io::parse_problem(
      control_of({"x"}, {"max(u, -u/2)"},
                 "controls = [\"u\"]\nbounds = { u = [-1, 1] }\n[cost]\nrunning = \"u^2/2\"\n[boundary]\nduration = 1\n"
                 "final = { x = 0.3 }\n[guess]\nu = \"-0.6\"\n"));
  problem.settings.method = "direct-lie-2";
  const auto branch = solve::solve(problem);
  ASSERT_EQ(branch.status, solve::Status::solved) << branch.reason;
  EXPECT_NEAR(branch.cost, 0.045, 1e-8);
  auto turned = io::parse_problem(attitude);
  turned.settings.method = "direct-lie-2";
  turned.settings.tolerance = 1e-4;
  const auto solution = solve::solve(turned);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_TRUE(solution.comparison->of_all);
  EXPECT_LE(residual(solution, "needle"), 1e-4);
}

TEST(MaximumCondition, SaysWhereItIsNotDecided) {
  EXPECT_FALSE(solve::solve(io::parse_problem(heisenberg)).comparison.has_value());
  const auto abnormal_path = solve::solve(io::parse_problem(abnormal));
  ASSERT_TRUE(abnormal_path.abnormal);
  ASSERT_TRUE(abnormal_path.comparison.has_value());
  EXPECT_FALSE(abnormal_path.comparison->of_all);
  EXPECT_EQ(abnormal_path.comparison->times, 0U);
  EXPECT_THAT(abnormal_path.comparison->why, testing::HasSubstr("abnormal"));
  // Seven controls in one term are more than are searched together.
  const auto many = solve::solve(io::parse_problem(control_of(
      {"x"}, {"a + b + c + d + e + f + g"},
      "controls = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\"]\n[cost]\nrunning = "
      "\"(a + b + c + d + e + f + g)^2 + a^2 + b^2 + c^2 + d^2 + e^2 + f^2 + g^2\"\n[boundary]\nduration = 1\n"
      "final = { x = 0.7 }\n")));
  ASSERT_EQ(many.status, solve::Status::solved) << many.reason;
  EXPECT_FALSE(many.comparison->of_all);
  EXPECT_EQ(many.comparison->times, 0U);
  EXPECT_THAT(many.notes,
              testing::Contains(
                  "H was not compared with that of all controls at every time: it depends on 7 controls together"));
}
