// Problems of the literature with known values, from crude guesses or none. Sources and values: docs/solve.md.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/solution_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"
#include "residual.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;

std::string oscillator(double x, double v, const std::string& damping = "") {
  return control_of({"x", "v"}, {"v", "u - x" + damping},
                    fmt::format("controls = [\"u\"]\nbounds = {{ u = [-1, 1] }}\n[cost]\nrunning = \"1\"\n[boundary]\n"
                                "duration = \"free\"\nfinal = {{ x = 0, v = 0 }}\n[initial]\nx = {}\nv = {}\n",
                                x, v));
}

}  // namespace

TEST(KnownProblems, BrachistochroneIsACycloidFromAWrongBranchAndAWrongDuration) {
  const auto solution = solved(control_of({"x", "y", "v"}, {"v*sin(a)", "v*cos(a)", "9.81*cos(a)"},
                                          "controls = [\"a\"]\n[cost]\nrunning = \"1\"\n[boundary]\nduration = "
                                          "\"free\"\nfinal = { x = 10, y = 5 }\n[guess]\nduration = 1.5\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 1.8012954830137324, 1e-9);  // theta sqrt(R/g) with (theta - sin)/(1 - cos) = x/y
  EXPECT_LE(solution.intervals, 80U) << "every stage is on the same branch";
}

TEST(KnownProblems, TransferToTheLargestCircleTurnsItsThrustOnOneBranch) {
  const auto solution = solved(control_of(
      {"r", "a", "b"}, {"a", "b^2/r - 1/r^2 + 0.1405*sin(u)/(1 - 0.0749*t)", "-a*b/r + 0.1405*cos(u)/(1 - 0.0749*t)"},
      "controls = [\"u\"]\n[cost]\nterminal = \"r\"\nsense = \"maximise\"\n[boundary]\nduration = 3.32\nfinal = { a = "
      "0 }\nconditions = [\"b_final - 1/sqrt(r_final)\"]\n[initial]\nr = 1\nb = 1\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 1.5252777, 1e-6);  // 1.525 in A. E. Bryson, Y.-C. Ho, Applied Optimal Control, 1975
  EXPECT_LT(residual(solution, "hamiltonian"), 1e-8);
}

TEST(KnownProblems, OscillatorInLeastTimeSwitchesEveryHalfTurn) {
  const auto solution = solved(oscillator(3, 2));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  const auto& times = solution.switching_times.at("u");
  ASSERT_EQ(times.size(), 2U) << solution.structure;
  EXPECT_NEAR(times[1] - times[0], M_PI, 1e-8);  // the costate is a sine [D. W. Bushaw, 1953]
  EXPECT_NEAR(solution.cost, 5.7692363656, 1e-8);
}

TEST(KnownProblems, FindsTimesOfAnotherSizeThanOne) {
  const auto solution =
      solved(control_of({"x", "v"}, {"v", "u"},
                        "controls = [\"u\"]\nbounds = { u = [-1e-9, 1e-9] }\n[cost]\nrunning = \"1\"\n"
                        "[boundary]\nduration = \"free\"\nfinal = { x = 1e-3, v = 0 }\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 2000, 1e-6);
  EXPECT_FALSE(solution.abnormal) << "costates are large because states are small";
}

TEST(KnownProblems, LeavesASymmetricGuess) {
  // A closed curve of area 1 with the length of its circle; every path of the guess is a point.
  std::string text = heisenberg.substr(0, heisenberg.find("[guess]"));
  text = with(with(text, "x = 1, y = 0, s = 1", "x = 0, y = 0, s = 1"), "g = -0.3", "g = 0");
  const auto solution = solved(text);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, M_PI, 1e-7);
}

TEST(KnownProblems, NamesTheEndThatIsOutOfReach) {
  const auto solution = solved(with(with(mass_in("0.5"), "d = 2", "d = 9"), "[mesh]", "[mesh]\nintervals = 8"));
  EXPECT_EQ(solution.status, solve::Status::infeasible) << solution.reason;
  EXPECT_THAT(solution.reason, testing::HasSubstr("farthest from holding is x = 9 at the end, by 8.8"));
}

TEST(KnownProblems, NamesInequalitiesThatCannotHoldTogether) {
  const auto solution = solved(control_of({"x", "v"}, {"v", "u"},
                                          "controls = [\"u\"]\npath = [\"x - 0.3\", \"0.5 - x - v\", \"x - 9\"]\n"
                                          "[cost]\nrunning = \"u^2/2\"\n[boundary]\nduration = 1\n"
                                          "final = { x = 0.2 }\n[initial]\nv = 0.6\n[mesh]\nintervals = 10\n"));
  EXPECT_EQ(solution.status, solve::Status::infeasible) << solution.reason;
  EXPECT_THAT(solution.reason, testing::HasSubstr("[control] path cannot hold together"));
  EXPECT_THAT(solution.reason, testing::HasSubstr("inequality 2 is broken by up to"));
  EXPECT_THAT(solution.reason, testing::Not(testing::HasSubstr("inequality 3")));
}

// A mass is moved by 1 in the least time with a limit of its speed: u = 1, then v = 1/2, then u = -1. Beside
// inequalities the mesh has no arcs that hold the control, and all of them were called singular.
TEST(KnownProblems, ArcsBesideInequalitiesAreThoseOfTheControl) {
  const auto solution =
      solved(control_of({"x", "v"}, {"v", "u"},
                        "controls = [\"u\"]\nbounds = { u = [-1, 1] }\npath = [\"v - 0.5\"]\n[cost]\nrunning = \"1\"\n"
                        "[boundary]\nduration = \"free\"\nfinal = { x = 1, v = 0 }\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 2.5, 1e-7);
  EXPECT_THAT(solution.structure, testing::StartsWith("u: max, inside, min; switches at "));
  const auto& times = solution.switching_times.at("u");
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0], 0.5, 1e-6);
  EXPECT_NEAR(times[1], 2, 1e-6);
}

TEST(KnownProblems, ADurationAtItsLimitIsTheLimit) {
  // A mass is moved by 1 from rest to rest: the energy of the force is 6/T^3, and 3 T more shortens T, 0.1 T more
  // lengthens it.
  for (const auto& [weight, limit] : {std::pair{"3", 2.0}, std::pair{"0.1", 3.0}}) {
    const auto solution = solved(control_of({"x", "v"}, {"v", "u"},
                                            "controls = [\"u\"]\n[cost]\nrunning = \"u^2/2 + " + std::string(weight) +
                                                "\"\n[boundary]\nduration = { free = true, min = 2, max = 3 }\n"
                                                "final = { x = 1, v = 0 }\n[guess]\nduration = 2.5\n"));
    ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
    EXPECT_DOUBLE_EQ(solution.duration, limit);
    EXPECT_NEAR(solution.cost, 6 / std::pow(limit, 3) + std::stod(weight) * limit, 1e-12);
  }
}

TEST(KnownProblems, ADurationAtItsLimitStaysThereFromASolutionNear) {
  const auto text =
      control_of({"x", "v"}, {"v", "u"},
                 "controls = [\"u\"]\npath = [\"v - 0.35\"]\n[cost]\nrunning = \"u^2/2 + 3\"\n[boundary]\n"
                 "duration = { free = true, min = 4 }\nfinal = { x = 1, v = 0 }\n");
  const auto cold = solved(text);
  ASSERT_EQ(cold.status, solve::Status::solved) << cold.reason;
  auto problem = io::parse_problem(text);
  io::set_guess(problem, cold.trajectory.columns, cold.iterate, "guess");
  const auto warm = solve::solve(problem);
  ASSERT_EQ(warm.status, solve::Status::solved) << warm.reason;
  EXPECT_EQ(warm.duration, 4);
  EXPECT_LT(residual(warm, "transversality"), 1e-9);
}

TEST(KnownProblems, RefusesAGuessOfADurationOutsideItsLimits) {
  for (const auto& [guess, allowed] : {std::pair{"0.5", false}, std::pair{"2", true}, std::pair{"20", false}}) {
    const auto problem =
        control_of({"x", "v"}, {"v", "u"},
                   "controls = [\"u\"]\n[cost]\nrunning = \"u^2/2 + 1\"\n[boundary]\nduration = "
                   "{ free = true, min = 2, max = 3 }\nfinal = { x = 1, v = 0 }\n[guess]\nduration = " +
                       std::string(guess) + "\n");
    if (allowed)
      EXPECT_EQ(solved(problem).status, solve::Status::solved);
    else
      EXPECT_THAT(
          [&] { solved(problem); },
          testing::ThrowsMessage<Refused>(testing::HasSubstr("is not between the least, 2, and the greatest, 3")));
  }
}

TEST(KnownProblems, NamesNoInfiniteLimitOfAGuess) {
  const auto problem = control_of({"x", "v"}, {"v", "u"},
                                  "controls = [\"u\"]\n[cost]\nrunning = \"u^2/2 + 1\"\n[boundary]\nduration = "
                                  "{ free = true, min = 2 }\nfinal = { x = 1, v = 0 }\n[guess]\nduration = 0.5\n");
  EXPECT_THAT([&] { solved(problem); },
              testing::ThrowsMessage<Refused>("the guess of the duration, 0.5, is not at least 2, the least that "
                                              "[boundary] allows; guess a longer one"));
}

TEST(KnownProblems, StretchesThePathOfAGuessToADurationThatIsAllowed) {
  auto problem = io::parse_problem(
      control_of({"x", "v"}, {"v", "u"},
                 "controls = [\"u\"]\n[cost]\nrunning = \"u^2/2 + 3\"\n[boundary]\nduration = { free = true, min = 2 "
                 "}\nfinal = { x = 1, v = 0 }\n"));
  using enum analyse::Role;
  io::set_guess(problem, {{"t", time, {0, 1}}, {"x", base, {0, 1}}, {"v", base, {0, 0}}}, std::nullopt, "a path");
  const auto solution = solve::solve(problem);
  EXPECT_DOUBLE_EQ(solution.duration, 2);
  EXPECT_THAT(solution.notes,
              testing::Contains("the path of the guess has the duration 1, and [boundary] allows no less "
                                "than 2: it was stretched to that"));
}

TEST(KnownProblems, AControlThatIsAtItsBoundsAllAlongVariesNoEnd) {
  // The farthest way from rest to rest in the time 2 is 1, by full thrust and then full brake.
  const std::string bounded = "controls = [\"u\"]\nbounds = { u = [-1, 1] }\n[cost]\n";
  const auto farthest = solved(
      control_of({"x", "v"}, {"v", "u"},
                 bounded + "sense = \"maximise\"\nterminal = \"x\"\n[boundary]\nduration = 2\nfinal = { v = 0 }\n"));
  ASSERT_EQ(farthest.status, solve::Status::solved) << farthest.reason;
  EXPECT_NEAR(farthest.cost, 1, 1e-9);
  EXPECT_NEAR(farthest.switching_times.at("u").front(), 1, 1e-9);
  // No other control comes to x = 1 at all, so that the multipliers of its conditions have no bound.
  const auto only = solved(control_of(
      {"x", "v"}, {"v", "u"}, bounded + "running = \"u^2/2\"\n[boundary]\nduration = 2\nfinal = { x = 1, v = 0 }\n"));
  EXPECT_NEAR(only.cost, 1, 1e-5);
}

TEST(KnownProblems, AbnormalExtremalsHaveTheirOwnTransversality) {
  // x' = u^2 does not come back to 0 unless u = 0, whatever the cost.
  const auto solution = solved(control_of({"x"}, {"u^2"},
                                          "controls = [\"u\"]\n[cost]\nrunning = \"(u - 1)^2/2\"\n[boundary]\n"
                                          "duration = 1\nfinal = { x = 0 }\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_TRUE(solution.abnormal);
  EXPECT_LT(residual(solution, "transversality"), 1e-8);
}

const std::string mass_under_force =
    "[model]\nname = \"mass\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"x\"]\nfibre = [\"v\"]\n[dynamics]\n"
    "lagrangian = \"v^2/2\"\nforces = { v = \"u\" }\n[control]\n";
const std::string few_intervals = "[mesh]\nintervals = 5\n";

// The least time from rest to rest over the distance 1 is 2/sqrt(a) with thrusts up to a = 1e4, and the sum of a time T
// and of 1e-8 times the work 12/T^3 of the square of the thrust is least at T^4 = 36e-8.
TEST(KnownProblems, ShortDurationsAreFoundFromLongGuesses) {
  const std::string ends = "[boundary]\nduration = \"free\"\nfinal = { x = 1, v = 0 }\n[guess]\nduration = 100\n";
  const auto bounded = [&](const std::string& running, const std::string& mesh) {
    return solved(mass_under_force + "controls = [\"u\"]\nbounds = { u = [-1e4, 1e4] }\n[cost]\nrunning = \"" +
                  running + "\"\n" + ends + mesh);
  };
  const auto fastest = bounded("1", "");
  ASSERT_EQ(fastest.status, solve::Status::solved) << fastest.reason;
  EXPECT_NEAR(fastest.duration, 0.02, 1e-5);
  const auto cheapest = bounded("1 + 1e-8*u^2", few_intervals);
  ASSERT_EQ(cheapest.status, solve::Status::solved) << cheapest.reason;
  EXPECT_NEAR(cheapest.duration, std::pow(36e-8, 0.25), 1e-8);
}

// Along u the cost falls to the constant alone, of which a terminal cost -zeta/2 takes one half.
TEST(KnownProblems, CostsWithoutABestControlAreThoseOfTheProblem) {
  const auto problem = [](const std::string& cost) {
    return solved(control_of({"x"}, {"u"}, "controls = [\"u\"]\n[cost]\n" + cost + "\n[boundary]\nduration = 1\n"));
  };
  const auto half = problem("running = \"1/(1 + u) + 100\"\nterminal = \"-zeta/2\"");
  EXPECT_THAT(half.reason, testing::HasSubstr("the cost falls as long as |u| grows, as far as 50; give 'u' bounds"));
  const auto highest = problem("running = \"7 - 1/(1 - u)\"\nsense = \"maximise\"");
  EXPECT_THAT(highest.reason, testing::HasSubstr("the cost rises as long as |u| grows, as far as 7; give 'u' bounds"));
  const auto shifted = problem("running = \"x + 1e10\"");
  EXPECT_THAT(shifted.reason, testing::ContainsRegex("the cost seems to have no bound: it is [0-9.]+e.09"));
}

// The running cost is at least 1, so only a path that is none has a cost below zero.
TEST(KnownProblems, CostsOfPathsThatBreakTheirEquationsAreNotCalledUnbounded) {
  const auto driven =
      solved(std::string(mass_under_force).replace(mass_under_force.find("v^2/2"), 5, "v^2/2 - 40*x^2") +
             "controls = [\"u\"]\n[cost]\nrunning = \"1 + x^2\"\n[boundary]\nduration = \"free\"\n"
             "final = { x = 1, v = 0 }\n[mesh]\nintervals = 6\n");
  EXPECT_EQ(driven.status, solve::Status::not_converged);
  EXPECT_THAT(driven.reason, testing::Not(testing::HasSubstr("no bound:")));
}

TEST(KnownProblems, CostsHaveNoErrorBelowTheirRounding) {
  const auto solution = solved(control_of(
      {"x"}, {"u"},
      "controls = [\"u\"]\n[cost]\nrunning = \"u^2/2 + 1e6\"\n[boundary]\nduration = 2\nfinal = { x = 1 }\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 2e6 + 0.25, solution.cost_error);
  EXPECT_GE(solution.cost_error, 4e-10);
}

TEST(KnownProblems, LeastTimeWithoutBoundsHasNoSolution) {
  const std::string text =
      "controls = [\"u\"]\n[cost]\nrunning = \"1\"\n[boundary]\nduration = \"free\"\nfinal = { x = 1 }\n";
  const auto none = solved(control_of({"x"}, {"u"}, text));
  EXPECT_EQ(none.status, solve::Status::not_converged) << "the infimum 0 of the duration is not a minimum";
  EXPECT_THAT(none.reason, testing::HasSubstr("the same path at twice the pace has half the running cost"));
  const auto inert =
      solved(mass_under_force + std::string(text).replace(text.find("x = 1"), 5, "x = 1, v = 0") + few_intervals);
  EXPECT_EQ(inert.status, solve::Status::not_converged);
  EXPECT_THAT(inert.reason, testing::HasSubstr("best values may be impulses"));
  const auto one =
      solved(control_of({"x"}, {"u"}, std::string(text).replace(text.find("\"1\""), 3, "\"1 + u^2 + t\"")));
  ASSERT_EQ(one.status, solve::Status::solved) << one.reason;
  EXPECT_LT(residual(one, "transversality"), 1e-9);
  EXPECT_THAT(one.notes, testing::Not(testing::Contains(testing::HasSubstr("best values"))));
  EXPECT_NEAR(one.duration, 0.75487766624669276, 1e-9) << "the root of 1 - 1/T^2 + T = 0";
}

// x'' = u from rest to rest costs 6/T^3 and has the price 1 of time: T^4 = 18. x' = u costs 1/(2 T): T^2 = 1/2.
TEST(KnownProblems, TransversalityKnowsFreeDurationsOfAllMethods) {
  const std::string end = "[boundary]\nduration = \"free\"\nfinal = { x = 1";
  const auto group = solved(control_of({"x"}, {"u"},
                                       "controls = [\"u\"]\n[cost]\nrunning = \"1 + u^2/2\"\n" + end +
                                           " }\n[mesh]\nmethod = \"direct-lie-2\"\ntolerance = 1e-6\n"));
  ASSERT_EQ(group.status, solve::Status::solved) << group.reason;
  EXPECT_NEAR(group.duration, std::sqrt(0.5), 1e-6);
  EXPECT_LT(residual(group, "transversality"), 1e-8);
  const auto steps = solved(
      "[model]\nname = \"steps\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"x\"]\nfibre = [\"v\"]\n[dynamics]\n"
      "lagrangian = \"v^2/2\"\nforces = { v = \"u\" }\n[discrete]\nrule = \"midpoint\"\n[control]\ncontrols = "
      "[\"u\"]\n[cost]\nrunning = \"1 + u^2/2\"\n" +
      end + ", v = 0 }\n[mesh]\nmethod = \"direct-herglotz\"\nintervals = 60\n[guess]\nduration = 2\n");
  ASSERT_EQ(steps.status, solve::Status::solved) << steps.reason;
  EXPECT_NEAR(steps.duration, std::pow(18, 0.25), 1e-3);
  EXPECT_LT(residual(steps, "transversality"), 1e-8);
}

TEST(KnownProblems, SaysThatACostHasNoBound) {
  const auto solution = solved(control_of(
      {"x"}, {"u"}, "controls = [\"u\"]\n[cost]\nrunning = \"x\"\n[boundary]\nduration = 1\n[mesh]\nintervals = 5\n"));
  EXPECT_EQ(solution.status, solve::Status::not_converged);
  EXPECT_THAT(solution.reason, testing::HasSubstr("no bound"));
  EXPECT_TRUE(std::isnan(solution.cost_error)) << "nothing is known of the error of what is not an optimum";
  EXPECT_TRUE(std::isnan(solution.mesh_error)) << "no mesh was judged";
}

TEST(KnownProblems, FullersControlSwitchesEverFaster) {
  // On the curve x = -xi v |v| with xi^2 = (sqrt(33) - 1)/24 switches follow each other at times that shrink by a
  // factor alpha with alpha^2 = (1 - 2 xi)/(1 + 2 xi), and the cost of what is left by alpha^5 [Ful63].
  const double xi = std::sqrt((std::sqrt(33.0) - 1) / 24);
  const double alpha = std::sqrt((1 - 2 * xi) / (1 + 2 * xi));
  const double T = 1 + alpha;  // from v = -1 to the next switch
  const double arc =
      T * (xi * xi + T * (-xi + T * ((1 + xi) / 3 + T * (-1.0 / 4 + T / 20))));  // int (xi - t + t^2/2)^2 dt
  const auto solution =
      solved(control_of({"x", "v"}, {"v", "u"},
                        fmt::format("controls = [\"u\"]\nbounds = {{ u = [-1, 1] }}\n[cost]\nrunning = \"x^2\"\n"
                                    "[boundary]\nduration = 3\n[initial]\nx = {:.17g}\nv = -1\n",
                                    xi)));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, arc / (1 - std::pow(alpha, 5)), 1e-9);
  EXPECT_NEAR(solution.switching_times.at("u").front(), T, 1e-6);
  EXPECT_THAT(fmt::format("{}", fmt::join(solution.notes, "; ")), testing::HasSubstr("Fuller's problem"));
}

TEST(KnownProblems, EveryMeshLeadsToTheElasticaNextToTheGuess) {
  for (const int intervals : {40, 50, 150, 200}) {
    const auto solution = solved(control_of(
        {"x", "y", "th"}, {"cos(th)", "sin(th)", "u"},
        fmt::format(
            "controls = [\"u\"]\n[cost]\nrunning = \"u^2/2 - zeta/2\"\n[boundary]\nduration = 2\nfinal = {{ x = "
            "1.2, y = 0.8, th = -0.6 }}\n[guess]\nth = \"2*sin(pi*s)\"\nu = \"3*(1 - 2*s)\"\n[mesh]\n"
            "intervals = {}\nmethod = \"direct-gauss-4\"\ntolerance = 1",
            intervals)));
    ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
    EXPECT_NEAR(solution.cost, 2.627046020848, 1e-5) << intervals;
    EXPECT_LE(solution.iterations, 30U) << intervals;
  }
}

TEST(KnownProblems, CostsThatFallWithTheDurationHaveNoBestOne) {
  // x' = u from 0 to 1 with int u^2 - 1 dt = 1/T - T.
  auto text = std::string(R"toml([model]
name = "idle"
[cost]
running = "u^2 - 1"
[boundary]
duration = "free"
final = { x = 1 }
[control]
controls = ["u"]
kinematics = { v = "u" }
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
)toml");
  const auto free = solve::solve(io::parse_problem(text));
  EXPECT_EQ(free.status, solve::Status::not_converged);
  EXPECT_THAT(free.reason,
              testing::StartsWith("no duration is the best: the cost falls as long as the duration grows"));
  text.replace(text.find("\"free\""), 6, "{ free = true, max = 10 }");
  const auto limited = solve::solve(io::parse_problem(text));
  EXPECT_EQ(limited.status, solve::Status::solved) << limited.reason;
  EXPECT_NEAR(limited.cost, 0.1 - 10, 1e-10);
  // With u^2 + 1 the best duration is 1.
  text.replace(text.find("{ free = true, max = 10 }"), 25, "\"free\"");
  text.replace(text.find("u^2 - 1"), 7, "u^2 + 1");
  const auto best = solve::solve(io::parse_problem(text));
  EXPECT_EQ(best.status, solve::Status::solved) << best.reason;
  EXPECT_NEAR(best.duration, 1, 1e-8);
}
