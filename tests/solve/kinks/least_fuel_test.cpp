// Costs with kinks at controls that are 0, such as the fuel |u|, against closed forms.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "herglotz/control/epigraphs.hpp"
#include "herglotz/control/signed_parts.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/solution_file.hpp"
#include "herglotz/solve/replay.hpp"
#include "herglotz/solve/solve.hpp"
#include "solve/problems.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;

const std::string bounded = "bounds = { u = [-1, 1] }\n";

/// A mass that goes from rest to rest over the distance 1.
std::string mass_to_rest(const std::string& running, const std::string& bounds = bounded,
                         const std::string& duration = "3", const std::string& rest = "") {
  return control_of({"x", "v"}, {"v", "u"},
                    fmt::format("controls = [\"u\"]\n{}[cost]\nrunning = \"{}\"\n{}[boundary]\nduration = {}\n"
                                "final = {{ x = 1, v = 0 }}\n",
                                bounds, running, rest, duration));
}

/// Paths of two controls whose length is the sum of both.
std::string shortest(const Names& states, const Names& rates, const std::string& boundary, int intervals) {
  return control_of(states, rates,
                    fmt::format("controls = [\"u\", \"w\"]\nbounds = {{ u = [-1, 1], w = [-1, 1] }}\n[cost]\n"
                                "running = \"abs(u) + abs(w)\"\n[boundary]\n{}[mesh]\nintervals = {}\n",
                                boundary, intervals));
}

/// A switching time of a mass in the time 3, t (3 - t) = 1 [AF66, Sec. 8-4].
const double switching = (3 - std::sqrt(5.0)) / 2;

void expect_arcs(const solve::Solution& solution, double first, double last) {
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_THAT(solution.structure, testing::StartsWith("u: max, zero, min"));
  EXPECT_THAT(solution.switching_times.at("u"),
              testing::ElementsAre(testing::DoubleNear(first, 1e-9), testing::DoubleNear(last, 1e-9)));
}

}  // namespace

TEST(LeastFuel, OfAMassInAGivenTimeIsSpentAtBothEnds) {
  const auto solution = solved(mass_to_rest("abs(u)"));
  expect_arcs(solution, switching, 3 - switching);
  EXPECT_NEAR(solution.cost, 2 * switching, 1e-12);
  EXPECT_EQ(solution.method, "shooting");
}

// Up to 1/2 the thrust is free: it is 3 for the time 1 - sqrt(4/5) at both ends, and 1/2 between. An inequality of a
// variable for the kink lets the mesh have no node where the thrust jumps; the time was off by 1.5e-4.
TEST(LeastFuel, OfAMassWithFreeThrustNamesItsJumps) {
  const auto solution = solved(mass_to_rest("max(abs(u) - 0.5, 0)", "bounds = { u = [-3, 3] }\n", "2"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_THAT(solution.structure, testing::StartsWith("u: max, inside, min; switches at 0.10557"));
  const double first = 1 - std::sqrt(0.8);
  EXPECT_NEAR(solution.cost, 5 * first, 1e-8);
  EXPECT_THAT(solution.switching_times.at("u"),
              testing::ElementsAre(testing::DoubleNear(first, 1e-7), testing::DoubleNear(2 - first, 1e-7)));
}

// With the price k of time, t = sqrt(k d/(2 + k)) and the cost is 2 sqrt(k (2 + k) d).
TEST(LeastFuel, OfAMassInAFreeTimeWithAPriceOfTime) {
  const auto solution = solved(mass_to_rest("abs(u) + 1/2", bounded, "\"free\""));
  const double first = std::sqrt(0.2);
  expect_arcs(solution, first, 1 / first);
  EXPECT_NEAR(solution.cost, std::sqrt(5.0), 1e-12);
}

// Amplitudes of an oscillator change by 2 |u| tau for a thrust of the length 2 tau about a passage through 0.
TEST(LeastFuel, OfAnOscillatorIsSpentAboutItsPassages) {
  const auto solution =
      solved(control_of({"x", "v"}, {"v", "u - x"},
                        "controls = [\"u\"]\n" + bounded +
                            "[cost]\nrunning = \"abs(u)\"\n[boundary]\nduration = 6\nfinal = { x = 0, v = 0 }\n"
                            "[initial]\nx = 2\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  // Arcs of pi/3 about pi/2 and 3 pi/2, each of which lowers the amplitude by 2 sin(pi/6) = 1.
  const double pi = std::numbers::pi;
  EXPECT_THAT(solution.switching_times.at("u"),
              testing::ElementsAre(testing::DoubleNear(pi / 3, 1e-8), testing::DoubleNear(2 * pi / 3, 1e-8),
                                   testing::DoubleNear(4 * pi / 3, 1e-8), testing::DoubleNear(5 * pi / 3, 1e-8)));
  EXPECT_NEAR(solution.cost, 2 * pi / 3, 1e-8);
}

// dv/dt = u - c v: with v(T) = 0, exp(c t1) - 1 = exp(c T) - exp(c t2), and t1 - (T - t2) = c d.
TEST(LeastFuel, OfADampedMassIsLessAtItsEnd) {
  const auto solution = solved(with(mass_in("5"), "running = \"1\"", "running = \"abs(u)\""));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  ASSERT_EQ(solution.switching_times.at("u").size(), 2U) << solution.structure;
  const double first = solution.switching_times.at("u")[0];
  const double last = solution.switching_times.at("u")[1];
  EXPECT_NEAR(std::exp(0.4 * first) - 1, std::exp(0.4 * 5) - std::exp(0.4 * last), 1e-9);
  EXPECT_NEAR(first + last, 5 + 0.4 * 2, 1e-9);
  EXPECT_NEAR(solution.cost, first + 5 - last, 1e-10);
}

// Between its zero and its bound the control is linear in time: t^2 (T/2 - t/3) = d (T/2 - t).
TEST(LeastFuel, WithAnEnergyLeavesZeroContinuously) {
  const auto solution = solved(mass_to_rest("u^2/2 + abs(u)", ""));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_THAT(solution.structure, testing::StartsWith("u: inside, zero, inside"));
  const double first = solution.switching_times.at("u").at(0);
  EXPECT_NEAR(first * first * (1.5 - first / 3), 1.5 - first, 1e-9);
}

TEST(LeastFuel, IsThatOfOtherKinks) {
  struct Kink {
    const char* running;
    double cost;
  };
  const double t = switching;
  for (const auto& [running, cost] :
       {Kink{"max(u, 0)", t}, Kink{"-min(u, 0)", t}, Kink{"max(u, -2*u)", 3 * t}, Kink{"if(u > 0, u, -3*u)", 4 * t},
        Kink{"abs(-2*u)", 4 * t}, Kink{"abs(u*v)", t * t}, Kink{"max(u*v, 0)", t * t / 2}}) {
    const auto solution = solved(mass_to_rest(running));
    expect_arcs(solution, t, 3 - t);
    EXPECT_NEAR(solution.cost, cost, 1e-11) << running;
  }
}

// The shortest loops in this norm are squares: a length of 4 sqrt(A) for the area A.
TEST(LeastFuel, OfLoopsOfTheHeisenbergSystemIsThatOfSquares) {
  const auto solution = solved(loop_of_area(1, "abs(u) + abs(w)"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 4, 1e-9);
}

// The Martinet system: y moves by 1 while x = sqrt(2 z).
TEST(LeastFuel, OfTheMartinetSystemIsThatOfThreeLines) {
  const auto solution =
      solved(shortest({"x", "y", "z"}, {"u", "w", "x^2*w/2"}, "duration = 5\nfinal = { x = 0, y = 1, z = 0.3 }\n", 10));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 1 + 2 * std::sqrt(0.6), 1e-8);
}

// Sideways by 1: forwards, a turn by a, backwards by L with L sin(a) = 1, the turn back, forwards by L (1 + cos(a)) in
// all; cot(a/2) + 2 a is least at a = pi/3.
TEST(LeastFuel, OfAWheelThatParksTurnsItByAThirdOfPi) {
  const auto solution = solved(shortest({"x", "y", "th"}, {"u*cos(th)", "u*sin(th)", "w"},
                                        "duration = 6\nfinal = { x = 0, y = 1, th = 0 }\n", 20));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, std::sqrt(3.0) + 2 * std::numbers::pi / 3, 1e-9);
}

TEST(LeastFuel, HasTheColumnsOfItsControls) {
  const control::Problem problem = io::parse_problem(mass_to_rest("abs(u)"));
  const auto solution = solve::solve(problem);
  const auto& rows = solution.trajectory;
  for (const auto& column : rows.columns) EXPECT_EQ(column.name.find("part"), std::string::npos) << column.name;
  const auto& u = rows["u"];
  EXPECT_EQ(u.front(), 1);
  EXPECT_EQ(u[rows.rows() / 2], 0);
  EXPECT_EQ(u.back(), -1);
  // H = p u - |u| + ...: the multiplier of a bound is |p| - 1 there.
  EXPECT_NEAR(rows["switch.u"].front(), rows["p_rate_v"].front(), 1e-12);
  EXPECT_NEAR(rows["bound.u"].front(), rows["p_rate_v"].front() - 1, 1e-12);
  EXPECT_EQ(rows["bound.u"][rows.rows() / 2], 0);
  EXPECT_NEAR(rows["bound.u"].back(), 1 + rows["p_rate_v"].back(), 1e-12);
}

TEST(LeastFuel, IsFollowedAndGoneOnWithFromItsFile) {
  const auto first = solved(mass_to_rest("abs(u)"));
  control::Problem again = io::parse_problem(mass_to_rest("abs(u)"));
  io::set_guess(again, first.trajectory.columns, first.iterate, "guess");
  const auto replayed = solve::replay(again);
  EXPECT_NEAR(replayed.cost, first.cost, 1e-12);
  EXPECT_NEAR(replayed.trajectory["u"].front(), 1, 1e-12);
  const auto warm = solve::solve(again);
  ASSERT_EQ(warm.status, solve::Status::solved) << warm.reason;
  EXPECT_LE(warm.iterations, 3U);
  EXPECT_EQ(warm.structure.substr(0, 16), first.structure.substr(0, 16));
}

TEST(LeastFuel, IsFoundFromAGuessOfTheControl) {
  auto text = mass_to_rest("abs(u)");
  const auto solution = solved(text + "[guess]\nu = \"1 - 2*s\"\n");
  expect_arcs(solution, switching, 3 - switching);
}

// Both parts of a control that is worth its sum would be at their bounds at once: such a path is none of the problem.
TEST(LeastFuel, IsNotThatOfBothPartsAtOnce) {
  const auto solution = solved(mass_to_rest("abs(u)", bounded, "3", "sense = \"maximise\"\n"));
  EXPECT_LE(solution.cost, 3 + 1e-9);
}

TEST(LeastFuel, PartsAreThoseOfControlsOfBothSigns) {
  const auto parts_of = [](const std::string& text) {
    const control::Problem problem = io::parse_problem(text);
    const auto parts = control::with_signed_parts(problem);
    return parts ? parts->controls.size() : 0;
  };
  EXPECT_EQ(parts_of(mass_to_rest("abs(u)")), 1U);
  EXPECT_EQ(parts_of(mass_to_rest("u^2")), 0U);
  EXPECT_EQ(parts_of(mass_to_rest("abs(u)", "bounds = { u = [0, 1] }\n")), 0U);
  EXPECT_EQ(parts_of(mass_to_rest("abs(u - x)")), 0U);
  EXPECT_EQ(parts_of(mass_to_rest("if(u > 0, u, 1)")), 0U);
}

// A mass is brought to rest by thrusts of the length t about a coast: 5 t/2 + 1/(2 t) is least at t = 1/sqrt(5).
TEST(KinksOfStates, AreBoundedByVariablesAboveThem) {
  const auto text = control_of({"x", "v"}, {"v", "u"},
                               "controls = [\"u\"]\n" + bounded +
                                   "[cost]\nrunning = \"abs(u) + abs(x)\"\n[boundary]\nduration = 5\n"
                                   "[initial]\nx = 1\n[mesh]\nintervals = 10\n");
  const auto solution = solved(text);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, std::sqrt(5.0), 2e-8);
  EXPECT_THAT(solution.structure, testing::StartsWith("u: min, zero"));
  EXPECT_NEAR(solution.switching_times.at("u").at(0), 1 / std::sqrt(5.0), 1e-4);
  for (const auto& column : solution.trajectory.columns) {
    EXPECT_EQ(column.name.find("abs"), std::string::npos) << column.name;
    EXPECT_FALSE(column.name.starts_with("path.")) << column.name;
  }
  control::Problem again = io::parse_problem(text);
  io::set_guess(again, solution.trajectory.columns, solution.iterate, "guess");
  const auto replayed = solve::replay(again);
  EXPECT_NEAR(replayed.cost, solution.cost, 1e-10);
  EXPECT_EQ(replayed.trajectory.find("abs(x)"), nullptr);
}

TEST(KinksOfStates, HaveVariablesWhereTheCostDrawsThemDown) {
  const auto variables_of = [](const std::string& running, const std::string& sense = "") {
    const control::Problem problem = io::parse_problem(mass_to_rest(running, bounded, "3", sense));
    const auto epigraphs = control::with_epigraphs(problem);
    if (!epigraphs) return std::size_t{0};
    EXPECT_EQ(epigraphs->problem.path.size(), 2 * epigraphs->names.size());
    return epigraphs->names.size();
  };
  EXPECT_EQ(variables_of("2*abs(x) + u^2"), 1U);
  EXPECT_EQ(variables_of("max(x, v) + abs(v) + u^2"), 2U);
  EXPECT_EQ(variables_of("-min(x, 0)"), 1U);
  EXPECT_EQ(variables_of("max(abs(x), v)"), 1U);
  EXPECT_EQ(variables_of("-abs(x)"), 0U);
  EXPECT_EQ(variables_of("-abs(x)", "sense = \"maximise\"\n"), 1U);
  EXPECT_EQ(variables_of("x*abs(v)"), 0U);
  EXPECT_EQ(variables_of("abs(x)^2"), 0U);
  EXPECT_EQ(variables_of("x^2 + abs(-2)"), 0U);
}

// u = 0 makes the mean of both slopes of -|u| vanish, and x = 0 that of -|x|, but H falls to both sides of them. From
// better controls the first problem comes to its bounds.
TEST(ConcaveKinks, AreNoPlaceToStay) {
  const auto stays = [](const std::string& running, const std::string& rest) {
    return solved(control_of({"x"}, {"u"},
                             fmt::format("controls = [\"u\"]\n{}[cost]\nrunning = \"{}\"\n[boundary]\nduration = 3\n{}",
                                         bounded, running, rest)));
  };
  const auto without_control = stays("-abs(u)", "final = { x = 0 }\n");
  ASSERT_EQ(without_control.status, solve::Status::solved) << without_control.reason;
  EXPECT_NEAR(without_control.cost, -3, 1e-7);
  const auto at_rest = stays("u^2/2 - abs(x)", "");
  EXPECT_EQ(at_rest.status, solve::Status::not_converged);
  EXPECT_THAT(at_rest.reason, testing::StartsWith("the path stays at the kink of 'abs(x)' from t = 0"));
  // p = t - 3 and u = min(1, 3 - t) on one side.
  const auto beside = stays("u^2/2 - abs(x)", "[guess]\nu = 0.5\n");
  ASSERT_EQ(beside.status, solve::Status::solved) << beside.reason;
  EXPECT_NEAR(beside.cost, -19.0 / 6, 1e-9);
  // The slopes of a convex kink have both signs, and 0 between them.
  const auto convex = stays("u^2/2 + abs(x)", "");
  ASSERT_EQ(convex.status, solve::Status::solved) << convex.reason;
  EXPECT_NEAR(convex.cost, 0, 1e-12);
}

// Both parts are compared in rows where a method has no stages: twice the fuel would be worth having.
TEST(LeastFuel, OfStepsIsNotThatOfBothPartsAtOnce) {
  const auto text = with(with(mass_in("5"), "running = \"1\"", "running = \"abs(u)\"\nsense = \"maximise\""),
                         "[mesh]\n", "[discrete]\nrule = \"midpoint\"\n[mesh]\nmethod = \"direct-herglotz\"\n");
  EXPECT_LE(solved(text).cost, 5 + 1e-9);
  const auto least = solved(with(text, "sense = \"maximise\"", ""));
  ASSERT_EQ(least.status, solve::Status::solved) << least.reason;
  EXPECT_NEAR(least.cost, 1.12922158628, 2e-2);
}
