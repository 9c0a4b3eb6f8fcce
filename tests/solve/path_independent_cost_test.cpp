// A function of time in the running cost changes the value of a problem of fixed duration, and nothing else.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/replay.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"

namespace {

using namespace herglotz;
using solve::testing::with;

/// A problem whose running cost has the term c, and the growth g of its action.
struct ProblemWithTerm {
  std::string text;
  double growth;
  double share = 1;  ///< 1 + the derivative of the terminal cost by the action
  double sign = 1;   ///< of the cost in what is minimised

  /// Returns off with d off/dt = 1 + growth off and off(0) = 0.
  [[nodiscard]] double off(double t) const { return growth == 0 ? t : std::expm1(growth * t) / growth; }
};

/// A mass moves from rest to rest: u is 0.3 up to t = 2 - sqrt(2), then falls linearly to -0.3.
const ProblemWithTerm cart_with_term{R"toml([model]
name = "cart"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[parameters]
c = 0
[dynamics]
lagrangian = "v^2/2"
forces = { v = "u" }
[control]
controls = ["u"]
bounds = { u = [-0.3, 0.3] }
[cost]
running = "u^2/2 + c"
[boundary]
duration = 4
final = { x = 1, v = 0 }
)toml",
                                     0};

const ProblemWithTerm discounted{R"toml([model]
name = "discounted"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[parameters]
c = 0
g = -0.4
[control]
controls = ["u"]
kinematics = { v = "u - x" }
bounds = { u = [-0.5, 0.9] }
[cost]
running = "(u^2 + x^2 + 2*c)/2 + g*zeta"
terminal = "-x - zeta/3"
[boundary]
duration = 3
[initial]
x = 1
)toml",
                                 -0.4, 2.0 / 3};

const ProblemWithTerm motion{R"toml([model]
name = "motion"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[parameters]
c = 0
[dynamics]
lagrangian = "v^2/2 - x^2/2 - 0.2*z + c"
[boundary]
duration = 2
final = { x = 1 }
[initial]
z = 0.5
)toml",
                             -0.2};

const ProblemWithTerm highest{R"toml([model]
name = "highest"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[parameters]
c = 0
[control]
controls = ["u"]
kinematics = { v = "u" }
[cost]
running = "sin(t) - u^2 - x^2 + c"
sense = "maximise"
[boundary]
duration = 2
final = { x = 1 }
)toml",
                              0, 1, -1};

solve::Solution solved_with_term(const std::string& text, double c) {
  auto problem = io::parse_problem(text);
  problem.system.parameters.front().value = c;
  return solve::solve(problem);
}

TEST(PathIndependentCost, ChangesTheValueAlone) {
  for (const ProblemWithTerm& one : {cart_with_term, discounted, motion, highest}) {
    const auto without = solved_with_term(one.text, 0);
    ASSERT_EQ(without.status, solve::Status::solved) << without.reason;
    for (const double c : {3.0, -3.0, 1e3}) {
      const auto off = [&](double t) { return c * one.off(t); };
      const auto with = solved_with_term(one.text, c);
      ASSERT_EQ(with.status, solve::Status::solved) << with.reason;
      EXPECT_NEAR(with.cost, without.cost + one.share * off(without.duration),
                  1e-15 * std::abs(off(without.duration)) + 1e-14);
      EXPECT_EQ(with.switching_times, without.switching_times);
      EXPECT_EQ(with.structure, without.structure);
      EXPECT_EQ(with.intervals, without.intervals);
      EXPECT_EQ(with.residuals, without.residuals);
      const auto& t = without.trajectory["t"];
      for (const auto& column : without.trajectory.columns) {
        const auto& there = with.trajectory[column.name];
        ASSERT_EQ(there.size(), column.values.size());
        for (std::size_t k = 0; k < there.size(); ++k) {
          double expected = column.values[k];
          if (column.name == without.iterate.states.back()) expected += off(t[k]);
          if (column.name == "hamiltonian") expected -= one.sign * c * std::exp(one.growth * t[k]);
          if (column.name == "hamiltonian_invariant")
            expected -=
                one.sign * c * std::exp(one.growth * t[k]) * without.trajectory["R"][k] / without.trajectory["R"][0];
          EXPECT_NEAR(there[k], expected, 1e-12 * std::max(1.0, std::abs(expected))) << column.name << " " << k;
        }
      }
    }
  }
}

// Off solves d off/dt = c(t) + g off: with c(t) = t^2 and g = 0 it is t^3/3, with cos(t) (sin(t) - g cos(t) + g
// exp(g t))/(1 + g^2), and with |t - 1| and g = 0 (|t - 1| (t - 1) + 1)/2.
TEST(PathIndependentCost, OfTimeChangesTheValueAlone) {
  struct Timed {
    const ProblemWithTerm& of;
    std::string text;
    double (*off)(double t, double g);
    double (*term)(double t);
  };
  const std::vector<Timed> cases = {
      {cart_with_term, with(cart_with_term.text, "u^2/2 + c", "u^2/2 + c*t^2"),
       [](double t, double) { return t * t * t / 3; }, [](double t) { return t * t; }},
      {cart_with_term, with(cart_with_term.text, "u^2/2 + c", "(u^2 + 2*c*abs(t - 1))/2"),
       [](double t, double) { return (std::abs(t - 1) * (t - 1) + 1) / 2; }, [](double t) { return std::abs(t - 1); }},
      {discounted, with(discounted.text, "2*c", "2*c*cos(t)"),
       [](double t, double g) { return (std::sin(t) - g * std::cos(t) + g * std::exp(g * t)) / (1 + g * g); },
       [](double t) { return std::cos(t); }}};
  for (const Timed& one : cases) {
    const double g = one.of.growth;
    const auto without = solved_with_term(one.of.text, 0);
    ASSERT_EQ(without.status, solve::Status::solved) << without.reason;
    for (const double c : {-3.0, 1e6}) {
      const auto timed = solved_with_term(one.text, c);
      ASSERT_EQ(timed.status, solve::Status::solved) << timed.reason;
      const double added = one.of.share * c * one.off(without.duration, g);
      EXPECT_NEAR(timed.cost, without.cost + added, 2e-15 * std::abs(added) + 1e-14);
      EXPECT_EQ(timed.structure, without.structure);
      EXPECT_EQ(timed.residuals, without.residuals);
      const auto& t = without.trajectory["t"];
      for (std::size_t k = 0; k < t.size(); ++k) {
        EXPECT_EQ(timed.trajectory["u"][k], without.trajectory["u"][k]);
        EXPECT_NEAR(timed.trajectory["zeta"][k], without.trajectory["zeta"][k] + c * one.off(t[k], g),
                    1e-12 * std::max(1.0, std::abs(c)));
        const double rate = c * (one.term(t[k]) + g * one.off(t[k], g));
        EXPECT_NEAR(timed.trajectory["hamiltonian"][k], without.trajectory["hamiltonian"][k] - rate,
                    1e-12 * std::max(1.0, std::abs(c)));
      }
    }
  }
}

// What is not a finite function, and what varies too fast for a quadrature, stays in the problem.
TEST(PathIndependentCost, StaysWhereItHasNoQuadrature) {
  const auto fast = solved_with_term(with(cart_with_term.text, "u^2/2 + c", "u^2/2 + c*sin(100000*t)"), 1);
  const double average = (1 - std::cos(4e5)) / 1e5;
  EXPECT_TRUE(fast.status != solve::Status::solved ||
              std::abs(fast.cost - (0.18 - 0.06 * std::sqrt(2.0)) - average) < 1e-6)
      << fast.cost;
}

TEST(PathIndependentCost, IsThatOfTheClosedForm) {
  EXPECT_NEAR(solved_with_term(cart_with_term.text, 3).cost, 12.18 - 0.06 * std::sqrt(2.0), 1e-12);
}

TEST(PathIndependentCost, IsInFilesAndReplays) {
  auto problem = io::parse_problem(discounted.text);
  problem.system.parameters.front().value = 1e3;
  const auto first = solve::solve(problem);
  ASSERT_EQ(first.status, solve::Status::solved) << first.reason;
  problem.guess.iterate = first.iterate;
  const auto again = solve::solve(problem);
  ASSERT_EQ(again.status, solve::Status::solved) << again.reason;
  EXPECT_NEAR(again.cost, first.cost, 1e-9);
  EXPECT_LE(again.iterations, 4U);
  const auto replayed = solve::replay(problem);
  EXPECT_NEAR(replayed.cost, first.cost, 1e-8);
}

// A constant is the price of a free duration.
TEST(PathIndependentCost, OfAFreeDurationIsItsPrice) {
  const std::string text = with(cart_with_term.text, "duration = 4", "duration = \"free\"");
  const auto cheap = solved_with_term(text, 1);
  const auto dear = solved_with_term(text, 3);
  ASSERT_EQ(cheap.status, solve::Status::solved) << cheap.reason;
  ASSERT_EQ(dear.status, solve::Status::solved) << dear.reason;
  EXPECT_LT(dear.duration, cheap.duration - 1e-3);
}

}  // namespace
