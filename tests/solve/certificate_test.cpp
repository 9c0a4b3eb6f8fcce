// What a solution proves: conditions at its ends, of second order, and the meaning of its costates.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"
#include "residual.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;

/// A regulator with a cost of fourth order, from x(0) in the time T.
solve::Solution regulated(double start, double duration) {
  std::string text = regulator;
  text.replace(text.find("(Q*x^2"), 6, "(Q*x^2 + x^4");
  auto problem = io::parse_problem(text);
  problem.boundary.initial.at("x") = problem.system.graph().number(start);
  problem.boundary.duration = problem.system.graph().number(duration);
  problem.settings.tolerance = 1e-11;
  return solve::solve(problem);
}

/// A fourth-order central difference of f at x.
template <class Function>
double rate(Function f, double x, double h) {
  return (f(x - 2 * h) - 8 * f(x - h) + 8 * f(x + h) - f(x + 2 * h)) / (12 * h);
}

}  // namespace

TEST(Certificate, HoldsForTheRegulator) {
  const auto solution = solve::solve(io::parse_problem(regulator));
  EXPECT_LT(residual(solution, "transversality"), 1e-11);
  // H_uu = -r, and the end is free: p = -s x there.
  EXPECT_NEAR(residual(solution, "legendre_margin"), 0.5, 1e-9);
  EXPECT_EQ(residual(solution, "negative_directions"), 0);
  EXPECT_NEAR(solution.trajectory["p_v"].back(), -0.8 * solution.trajectory["x"].back(), 1e-11);
}

// The stationary action of a negative mass is a maximum by velocities, and the motion is what was asked for.
TEST(Certificate, OfAMotionDoesNotNeedTheMaximumByVelocities) {
  const auto solution = solve::solve(io::parse_problem(R"([algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[dynamics]
lagrangian = "-v^2/2"
[boundary]
duration = 2
final = { q = 1 }
[initial]
q = 0
)"));
  EXPECT_EQ(solution.status, solve::Status::solved);
  EXPECT_EQ(solution.reason, "the conditions of a stationary point hold");
  EXPECT_NEAR(residual(solution, "legendre_margin"), -1, 1e-9);
  EXPECT_NEAR(solution.cost, -0.25, 1e-11);
}

TEST(Certificate, MeasuresTheMarginByControlsWhereTheyEnterForces) {
  // The running cost is (f^2 + tau^2)/2, whatever the mass and the constraint.
  EXPECT_NEAR(residual(solve::solve(io::parse_problem(sleigh)), "legendre_margin"), 1, 1e-9);
}

TEST(Certificate, DecidesWhereEndValuesDependOnEachOther) {
  // The velocities at the end are given, and the constraint relates them.
  const auto solution = solve::solve(io::parse_problem(sleigh));
  EXPECT_EQ(residual(solution, "negative_directions"), 0);
  EXPECT_THAT(solution.notes, testing::Contains(testing::StartsWith("the end values depend on each other: v")));
}

TEST(Certificate, TurnsAQuaternionWhoseNormIsGivenTwice) {
  // Turns by phi about the axis that no control moves, of the rolling sphere: L^2 = phi (4 pi - phi).
  const auto solution = solve::solve(io::parse_problem(R"toml([model]
name = "attitude"
[algebroid]
kind = "action"
base = ["q0", "q1", "q2", "q3"]
fibre = ["a", "b", "c"]
generators = [["-q1/2", "q0/2", "q3/2", "-q2/2"], ["-q2/2", "-q3/2", "q0/2", "q1/2"], ["-q3/2", "q2/2", "-q1/2", "q0/2"]]
[algebroid.brackets]
"a,b" = { c = "1" }
"b,c" = { a = "1" }
"c,a" = { b = "1" }
[control]
controls = ["u1", "u2"]
kinematics = { a = "u1", b = "u2", c = "0" }
[cost]
running = "(u1^2 + u2^2)/2"
[boundary]
duration = 1
final = { q0 = "cos(1)", q1 = 0, q2 = 0, q3 = "sin(1)" }
[initial]
q0 = 1
[guess]
u1 = "4*cos(6*s)"
u2 = "4*sin(6*s)"
)toml"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_FALSE(solution.abnormal);
  EXPECT_NEAR(solution.cost, 4 * M_PI - 2, 1e-8);
  EXPECT_EQ(residual(solution, "negative_directions"), 0);
  EXPECT_NEAR(solution.trajectory["q3"].back(), std::sin(1), 1e-9);
  EXPECT_THAT(solution.notes, testing::Contains(testing::StartsWith("the end values depend on each other: q3")));
}

TEST(Certificate, CountsConjugatePoints) {
  // x = sin(t)/sin(T), whose action is cot(T)/2; conjugate points lie at the multiples of pi.
  for (const auto& [duration, points] : {std::pair{2.0, 0}, std::pair{4.0, 1}, std::pair{10.0, 3}}) {
    const auto solution = solve::solve(io::parse_problem(fmt::format(R"toml([model]
name = "oscillator"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[dynamics]
lagrangian = "(v^2 - x^2)/2"
[boundary]
duration = {}
final = {{ x = 1 }}
)toml",
                                                                     duration)));
    ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
    EXPECT_NEAR(solution.cost, 0.5 / std::tan(duration), 1e-9);
    EXPECT_EQ(residual(solution, "negative_directions"), points);
  }
}

TEST(Certificate, CostatesArePricesOfTheStart) {
  // [GG08, Eqs. 5.6-5.8; LLM22]: dJ/dx(0) = -R(0) p(0).
  const auto solution = regulated(1, 1.5);
  const double price = rate([](double x) { return regulated(x, 1.5).cost; }, 1, 0.02);
  EXPECT_NEAR(price, -solution.trajectory["R"].front() * solution.trajectory["p_v"].front(), 1e-8);
}

TEST(Certificate, TheHamiltonianIsThePriceOfTime) {
  // dJ/dT = -R(T) H(T).
  const auto solution = regulated(1, 1.5);
  const double price = rate([](double duration) { return regulated(1, duration).cost; }, 1.5, 0.02);
  EXPECT_NEAR(price, -solution.trajectory["R"].back() * solution.trajectory["hamiltonian"].back(), 1e-8);
}

TEST(Certificate, CountsNoDirectionsAwayFromBoundsThatControlsApproach) {
  // Fuller's problem: the control switches ever faster before x = v = 0, at bounds that no interior point reaches.
  const auto solution = solve::solve(io::parse_problem(R"toml([model]
name = "fuller"
[algebroid]
kind = "tangent"
base = ["x", "v"]
fibre = ["dx", "dv"]
[control]
controls = ["u"]
kinematics = { dx = "v", dv = "u" }
bounds = { u = [-1, 1] }
[cost]
running = "x^2"
[boundary]
duration = 3
final = { x = 0, v = 0 }
[initial]
x = 1
)toml"));
  EXPECT_EQ(solution.status, solve::Status::solved);
  EXPECT_THAT(solution.notes,
              testing::Contains(testing::StartsWith("whether the solution is a local minimum was not")));
  for (const auto& residual : solution.residuals) EXPECT_NE(residual.first, "negative_directions");
}
