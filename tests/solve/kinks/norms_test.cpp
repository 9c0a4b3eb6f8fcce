// Costs with norms of controls, such as the fuel of thrusters that turn, against closed forms.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "herglotz/control/magnitudes.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/solution_file.hpp"
#include "herglotz/solve/replay.hpp"
#include "herglotz/solve/solve.hpp"
#include "maximum/maximum_condition.hpp"
#include "solve/problems.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;

const std::string unit_thrust = "path = [\"ux^2 + uy^2 - 1\"]\n";
const std::string fuel_of_thrust = "[cost]\nrunning = \"sqrt(ux^2 + uy^2)\"\n";

/// A mass in the plane that comes to rest at the distance 1.
std::string mass_in_plane(const std::string& limits_and_cost, const std::string& duration = "3",
                          const std::string& rest = "") {
  return control_of({"x", "y", "v", "w"}, {"v", "w", "ux", "uy"},
                    fmt::format("controls = [\"ux\", \"uy\"]\n{}[boundary]\nduration = {}\n"
                                "final = {{ x = 0.6, y = 0.8, v = 0, w = 0 }}\n{}",
                                limits_and_cost, duration, rest));
}

/// Damped velocities a, b that are brought to 0 in the time 2, from (0.6, 0.8).
std::string brakes(const std::string& rate_a, const std::string& limit, const std::string& running) {
  return control_of({"a", "b"}, {rate_a, "-b/2 + w"},
                    fmt::format("controls = [\"u\", \"w\"]\npath = [\"{}\"]\n[cost]\nrunning = \"{}\"\n[boundary]\n"
                                "duration = 2\nfinal = {{ a = 0, b = 0 }}\n[initial]\na = 0.6\nb = 0.8\n",
                                limit, running));
}

/// The costates of dv/dt = -v/2 + u grow, so that |u| = 1 against v for the last time tau, with
/// 2 (1 - exp(-tau/2)) = |v(0)| exp(-1).
double braking_time(double speed) {
  return -2 * std::log(1 - speed * std::exp(-1.0) / 2);
}

void expect_proved(const solve::Solution& solution) {
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  ASSERT_TRUE(solution.comparison);
  EXPECT_TRUE(solution.comparison->of_all) << solution.comparison->why;
  EXPECT_LT(solution.comparison->saved, 1e-8);
}

}  // namespace

// Along a line it is the mass of one dimension, t (3 - t) = 1 [AF66, Sec. 8-4].
TEST(Norms, OfThrustAlongALineAreThoseOfOneDimension) {
  const auto solution = solved(mass_in_plane(unit_thrust + fuel_of_thrust));
  expect_proved(solution);
  const double first = (3 - std::sqrt(5.0)) / 2;
  EXPECT_NEAR(solution.cost, 2 * first, 1e-9);
  EXPECT_THAT(solution.structure, testing::StartsWith("sqrt(ux^2 + uy^2): max, zero, max; switches at 0.38196601"));
  const auto& rows = solution.trajectory;
  EXPECT_NEAR(rows["ux"].front(), 0.6, 1e-7);
  EXPECT_NEAR(rows["uy"].back(), -0.8, 1e-7);
  EXPECT_NEAR(rows["ux"][rows.rows() / 2], 0, 1e-12);
  EXPECT_NEAR(rows["path.1"][rows.rows() / 2], -1, 1e-12);
  for (const auto& column : rows.columns) {
    EXPECT_EQ(column.name.find("sqrt"), std::string::npos) << column.name;
    EXPECT_EQ(column.name.find("direction"), std::string::npos) << column.name;
  }
}

// With the price k of time the cost is 2 sqrt(k (2 + k) d).
TEST(Norms, OfThrustInAFreeTimeWithAPriceOfTime) {
  const auto solution =
      solved(mass_in_plane(unit_thrust + "[cost]\nrunning = \"sqrt(ux^2 + uy^2) + 1/2\"\n", "\"free\""));
  expect_proved(solution);
  EXPECT_NEAR(solution.cost, std::sqrt(5.0), 1e-8);
  EXPECT_NEAR(solution.duration, std::sqrt(0.2) + std::sqrt(5.0), 1e-7);
}

// The thrust u = p/|p| turns with the primer p = a - b t where |p| > 1 [AF66; Law63]. The integrals of p/|p| and t
// p/|p| are elementary; the four conditions at the end were solved for a and b with 30 digits.
TEST(Norms, OfThrustThatTurnsFollowsThePrimer) {
  const auto solution = solved(mass_in_plane(unit_thrust + fuel_of_thrust, "3", "[initial]\nv = 0.3\nw = -0.2\n"));
  expect_proved(solution);
  EXPECT_NEAR(solution.cost, 0.940622346505283, 1e-8);
  const auto& times = solution.switching_times.at("sqrt(ux^2 + uy^2)");
  EXPECT_THAT(times, testing::ElementsAre(testing::DoubleNear(0.546255923834025, 1e-7),
                                          testing::DoubleNear(2.605633577328742, 1e-7)));
  const auto& rows = solution.trajectory;
  EXPECT_NEAR(rows["p_rate_v"].front(), -0.168349483197, 1e-6);
  EXPECT_NEAR(rows["p_rate_w"].front(), 1.442749673623, 1e-6);
  for (std::size_t k = 0; k < rows.rows(); ++k) {
    const double p = std::hypot(rows["p_rate_v"][k], rows["p_rate_w"][k]);
    const double t = rows["t"][k];
    constexpr double beside = 1e-6;  // a node at which the thrust jumps has one of its values
    if (t > times[0] && t < times[1]) {
      EXPECT_LE(p, 1 + 1e-9) << t;
    } else if (t < times[0] - beside || t > times[1] + beside) {
      EXPECT_NEAR(rows["ux"][k] * p, rows["p_rate_v"][k], 1e-5) << t;
    }
  }
}

TEST(Norms, MayHaveWeightsOffsetsAndSumsOfControls) {
  const double tau = braking_time(1);
  const auto sums = solved(brakes("-a/2 + u", "(u + w)^2 + (u - w)^2 - 2", "sqrt((u + w)^2 + (u - w)^2)"));
  expect_proved(sums);
  EXPECT_NEAR(sums.cost, std::sqrt(2.0) * tau, 1e-9);
  const auto offset = solved(brakes("-a/2 + u - 0.2", "sqrt((u - 0.2)^2 + w^2) - 1", "sqrt((u - 0.2)^2 + w^2)"));
  expect_proved(offset);
  EXPECT_NEAR(offset.cost, tau, 1e-9);
  EXPECT_NEAR(offset.trajectory["u"].front(), 0.2, 1e-12);
  const auto weights = solved(brakes("-a/2 + u", "2*u^2 + 3*w^2 + 2*u*w - 1", "3*sqrt(2*u^2 + 3*w^2 + 2*u*w)"));
  expect_proved(weights);
  EXPECT_NEAR(weights.cost, 3 * braking_time(std::sqrt(2 * 0.36 + 3 * 0.64 + 2 * 0.48)), 1e-9);
}

TEST(Norms, OfThreeControlsAreInClosedFormToo) {
  const auto solution = solved(control_of(
      {"a", "b", "c"}, {"-a/2 + u", "-b/2 + v", "-c/2 + w"},
      "controls = [\"u\", \"v\", \"w\"]\npath = [\"u^2 + 2*v^2 + 3*w^2 - 1\"]\n[cost]\nrunning = \"sqrt(u^2 + 2*v^2 + "
      "3*w^2)\"\n[boundary]\nduration = 2\nfinal = { a = 0, b = 0, c = 0 }\n[initial]\na = 1\nb = 0.5\nc = -0.3\n"));
  expect_proved(solution);
  EXPECT_NEAR(solution.cost, braking_time(std::sqrt(1 + 2 * 0.25 + 3 * 0.09)), 1e-9);
}

// A rocket that burns |u|/4 of its mass, along a line: the same as with one control of both signs.
TEST(Norms, InRatesAreThoseOfTheMassThatBurns) {
  const auto plane = solved(
      control_of({"x", "y", "v", "w", "m"}, {"v", "w", "ux/m", "uy/m", "-sqrt(ux^2 + uy^2)/4"},
                 "controls = [\"ux\", \"uy\"]\n" + unit_thrust +
                     "[cost]\nterminal = \"-m\"\n[boundary]\nduration = 3\nfinal = { x = 0.6, y = 0.8, v = 0, w = 0 }\n"
                     "[initial]\nm = 1\n"));
  const auto line = solved(control_of({"x", "v", "m"}, {"v", "u/m", "-abs(u)/4"},
                                      "controls = [\"u\"]\nbounds = { u = [-1, 1] }\n[cost]\nterminal = "
                                      "\"-m\"\n[boundary]\nduration = 3\nfinal = { x = "
                                      "1, v = 0 }\n[initial]\nm = 1\n"));
  expect_proved(plane);
  ASSERT_EQ(line.status, solve::Status::solved) << line.reason;
  EXPECT_NEAR(plane.cost, line.cost, 1e-9);
  EXPECT_NEAR(plane.switching_times.at("sqrt(ux^2 + uy^2)").at(0), line.switching_times.at("u").at(0), 1e-7);
}

// A damped puck of controlled mechanics: the forces are those of the first-order problem.
TEST(Norms, OfForcesAreThoseOfMechanics) {
  const auto mechanics = solved(R"toml([algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["v", "w"]
[dynamics]
lagrangian = "v^2/2 + w^2/2 - 0.4*z"
forces = { v = "ux", w = "uy" }
[control]
controls = ["ux", "uy"]
path = ["ux^2 + uy^2 - 1"]
[cost]
running = "sqrt(ux^2 + uy^2)"
[boundary]
duration = 5
final = { x = 1.2, y = 1.6, v = 0, w = 0 }
)toml");
  expect_proved(mechanics);
  const auto line = solved(with(mass_in("5"), "running = \"1\"", "running = \"abs(u)\""));
  ASSERT_EQ(line.status, solve::Status::solved) << line.reason;
  EXPECT_NEAR(mechanics.cost, line.cost, 1e-8);
}

TEST(Norms, AreFollowedAndGoneOnWithFromAFile) {
  const auto text = mass_in_plane(unit_thrust + fuel_of_thrust);
  const auto first = solved(text);
  control::Problem again = io::parse_problem(text);
  io::set_guess(again, first.trajectory.columns, first.iterate, "guess");
  const auto replayed = solve::replay(again);
  EXPECT_NEAR(replayed.cost, first.cost, 1e-10);
  EXPECT_NEAR(replayed.trajectory["ux"].front(), 0.6, 1e-7);
  const auto warm = solve::solve(again);
  expect_proved(warm);
  EXPECT_LT(warm.iterations, first.iterations / 2);
  const auto guessed = solved(text + "[guess]\nux = \"0.6 - 1.2*s\"\nuy = \"0.8 - 1.6*s\"\n");
  expect_proved(guessed);
  EXPECT_NEAR(guessed.cost, first.cost, 1e-9);
}

TEST(Norms, HaveMagnitudesWhereTheyAreResolved) {
  const auto count = [](const std::string& limits, const std::string& running) {
    const auto made =
        control::with_magnitudes(io::parse_problem(mass_in_plane(limits + "[cost]\nrunning = \"" + running + "\"\n")));
    return made ? made->norms.size() : 0;
  };
  EXPECT_EQ(count(unit_thrust, "2*sqrt(ux^2 + uy^2) + x^2"), 1U);
  EXPECT_EQ(count("path = [\"3*sqrt(ux^2 + uy^2) - 1\", \"x - 5\"]\n", "sqrt(ux^2 + uy^2)"), 1U);
  EXPECT_EQ(count("", "sqrt(ux^2 + uy^2)"), 0U);                                  // no limit
  EXPECT_EQ(count("path = [\"1 - ux^2 - uy^2\"]\n", "sqrt(ux^2 + uy^2)"), 0U);    // a limit from below
  EXPECT_EQ(count("path = [\"ux^2 + 2*uy^2 - 1\"]\n", "sqrt(ux^2 + uy^2)"), 0U);  // of another norm
  EXPECT_EQ(count("path = [\"ux^2 + uy^2 - 1 - x\"]\n", "sqrt(ux^2 + uy^2)"), 0U);
  EXPECT_EQ(count(unit_thrust + "bounds = { ux = [0, 1] }\n", "sqrt(ux^2 + uy^2)"), 0U);
  EXPECT_EQ(count(unit_thrust, "sqrt(ux^2 + uy^2) + ux^2"), 0U);
  EXPECT_EQ(count(unit_thrust, "sqrt(ux^2 - uy^2)"), 0U);
  EXPECT_EQ(count(unit_thrust, "sqrt(ux^2 + uy^2 + 1)"), 0U);
  EXPECT_EQ(count(unit_thrust, "sqrt((ux - x)^2 + uy^2)"), 0U);
  EXPECT_EQ(count(unit_thrust, "ux^2 + uy^2"), 0U);
}

// With costates that are too large by a fifth, a part of the arc without thrust is outside of the ball |p| <= 1.
TEST(Norms, ThatVanishHaveCostatesInTheUnitBall) {
  const control::Problem problem = io::parse_problem(mass_in_plane(unit_thrust + fuel_of_thrust));
  auto found = solve::solve(problem);
  const auto condition = solve::maximum_condition(problem, found);
  ASSERT_TRUE(condition);
  EXPECT_FALSE(condition->largest);
  const std::size_t d = found.iterate.states.size();
  for (std::size_t k = 0; k < found.iterate.stage_P.size(); ++k)
    if (k % d != d - 1) found.iterate.stage_P[k] *= 1.2;
  const auto other = solve::maximum_condition(problem, found);
  ASSERT_TRUE(other && other->largest);
  EXPECT_TRUE(other->comparison.of_all);
  EXPECT_NEAR(other->largest->found, 0, 1e-9);
  // p = 1 at t = 0.382 falls to 0 at 1.5: H rises by 1.2 |p| - 1, which is largest beside the thrust.
  EXPECT_NEAR(other->largest->rise, 0.2, 0.03);
  EXPECT_NEAR(std::abs(other->largest->better), other->largest->control == 0 ? 0.6 : 0.8, 1e-6);
}

// More of the norm is worth having here: magnitudes would be longer than their controls.
TEST(Norms, AreNotThoseOfMagnitudesWithoutControls) {
  const auto solution =
      solved(mass_in_plane(unit_thrust + "[cost]\nrunning = \"sqrt(ux^2 + uy^2)\"\nsense = \"maximise\"\n"));
  EXPECT_TRUE(solution.status != solve::Status::solved || solution.cost <= 3 + 1e-9);
}

TEST(Norms, WithoutALimitAreNamed) {
  const auto solution = solved(mass_in_plane("[cost]\nrunning = \"sqrt(ux^2 + uy^2) + ux^2 + uy^2\"\n"));
  ASSERT_NE(solution.status, solve::Status::solved);
  EXPECT_THAT(solution.reason, testing::HasSubstr("'sqrt(ux^2 + uy^2)' has a kink where it is 0"));
}

// The thrust of least time turns about where the primer vanishes. Its limit keeps it from impulses.
TEST(Norms, ThatAreLimitedLeaveNoImpulses) {
  const auto solution = solved(mass_in_plane(unit_thrust + "[cost]\nrunning = \"1\"\n", "\"free\""));
  EXPECT_THAT(solution.reason, testing::Not(testing::HasSubstr("impulses")));
  EXPECT_NEAR(solution.cost, 2, 1e-4);
}

// H = p u w + ... is linear in u and in w: both jump. Their product is that of the mass of Sec. 7-2 of [AF66].
TEST(Products, OfControlsJumpBetweenBounds) {
  const auto solution = solved(control_of({"x", "v"}, {"v", "u*w"},
                                          "controls = [\"u\", \"w\"]\nbounds = { u = [-1, 1], w = [-1, 1] }\n[cost]\n"
                                          "running = \"1\"\n[boundary]\nduration = \"free\"\nfinal = { x = 1, v = 0 }\n"
                                          "[guess]\nduration = 3\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.duration, 2, 1e-9);
}
