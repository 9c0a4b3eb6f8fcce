// Problems with known solutions, and what is said of problems that have none.

#include "herglotz/solve/solve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/io/problem_file.hpp"
#include "problems.hpp"
#include "residual.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;

std::size_t row_at(const solve::Solution& solution, double t) {
  const auto& times = solution.trajectory["t"];
  for (std::size_t k = 0; k < times.size(); ++k)
    if (std::abs(times[k] - t) < 1e-12) return k;
  return times.size();
}

}  // namespace

TEST(Solve, FindsTheRegulatorOfARiccatiEquationWithDiscounting) {
  const auto solution = solved(regulator);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, regulator_cost, 1e-10);
  EXPECT_NEAR(solution.trajectory["p_v"].front(), regulator_costate, 1e-10);
  EXPECT_NEAR(solution.trajectory["R"].front(), std::exp(-0.4 * 1.5), 1e-10);
  EXPECT_DOUBLE_EQ(solution.trajectory["R"].back(), 1);
  // p(T) = -s x(T), and R H is constant.
  EXPECT_NEAR(solution.trajectory["p_v"].back(), -0.8 * solution.trajectory["x"].back(), 1e-12);
  EXPECT_LT(residual(solution, "hamiltonian"), 1e-9);
  EXPECT_LE(std::abs(solution.cost - regulator_cost), 10 * solution.cost_error + 1e-13);
}

// The maximum condition with bounds, worked by hand in problems.hpp. Theory of control: docs/solve.md, Structure.
TEST(Solve, PutsANodeWhereAControlLeavesItsBound) {
  const auto solution = solved(saturated);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, -7.0 / 6, 1e-12);
  EXPECT_EQ(solution.switching_times.at("u").size(), 1u);
  EXPECT_NEAR(solution.switching_times.at("u").front(), 1, 1e-11);
  EXPECT_LE(solution.intervals, 8u) << "every interval is a polynomial";
  for (const double u : solution.trajectory["u"]) EXPECT_LE(u, 1 + 1e-12);
}

TEST(Solve, RefinesWhereAnInequalityBeginsToBeActive) {
  const auto solution = solved(limited);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  const double exact = 4 / (9 * 0.12);
  EXPECT_NEAR(solution.cost, exact, 1e-7);
  EXPECT_LT(std::abs(solution.cost - exact), 10 * solution.cost_error);
  EXPECT_LT(solution.cost_error, 1e-7);
}

TEST(Solve, FindsTheSameJunctionsOnEveryMesh) {
  std::string other = bounded_oscillator;
  const auto solution = solved(other);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  ASSERT_EQ(solution.switching_times.at("u").size(), 3u) << solution.structure;
  const auto& u = solution.trajectory["u"];
  for (std::size_t k = 0; k < u.size(); ++k) {
    EXPECT_GE(u[k], -0.3 - 1e-9);
    EXPECT_LE(u[k], 1 + 1e-9);
    EXPECT_LT(solution.trajectory["stationarity"][k], 1e-8);
  }
  EXPECT_LT(residual(solution, "hamiltonian"), 1e-8);
  other.replace(other.find("tolerance"), 0, "intervals = 77\n");
  const auto again = solved(other);
  ASSERT_EQ(again.status, solve::Status::solved) << again.reason;
  EXPECT_NEAR(again.cost, solution.cost, 1e-10);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(again.switching_times.at("u")[k], solution.switching_times.at("u")[k], 1e-8);
}

TEST(Solve, FindsTheVakonomicPathBetweenTwoPoints) {
  const auto solution = solved(heisenberg);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 1.3135301251021025, 1e-9);
  EXPECT_NEAR(solution.trajectory["v1"].front(), -1.0325794360542304, 1e-9);
  EXPECT_NEAR(solution.trajectory["p_v3"].front(), 2.9096976538549533, 1e-8);
  EXPECT_NEAR(solution.trajectory["nu1"].front(), -2.9096976538549533, 1e-8);
  const std::size_t row = row_at(solution, 0.4);
  ASSERT_LT(row, solution.trajectory.rows());
  EXPECT_NEAR(solution.trajectory["y"][row], -0.6377466271279891, 1e-9);
  EXPECT_NEAR(solution.trajectory["nu1"][row], -2.580670313871924, 1e-8);
}

TEST(Solve, FindsAnAttitudeManoeuvreWhoseCostKnowsItsAction) {
  const auto solution = solved(attitude);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 0.4287621251711076, 1e-10);
  EXPECT_NEAR(solution.trajectory["p_w1"].front(), 0.7384666720905567, 1e-9);
  const std::size_t row = row_at(solution, 0.6);
  ASSERT_LT(row, solution.trajectory.rows());
  EXPECT_NEAR(solution.trajectory["u1"][row], 0.5821038399604308, 1e-9);
  EXPECT_NEAR(solution.trajectory["hamiltonian"][row], 0.4175997478765493, 1e-9);
}

TEST(Solve, FindsSwitchingTimesAsUnknowns) {
  const auto solution = solved(least_time);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.duration, 2.904420488868131, 1e-9);
  ASSERT_EQ(solution.switching_times.at("u").size(), 1U);
  EXPECT_NEAR(solution.switching_times.at("u").front(), 1.8522102444340656, 1e-9);
  EXPECT_THAT(solution.structure, testing::StartsWith("u: max, min; switches at 1.852210244"));
  EXPECT_NEAR(solution.trajectory["p_v"].front(), 0.7643686300452318, 1e-8);
  EXPECT_NEAR(solution.trajectory["q_v"].front(), 1, 1e-8);
  EXPECT_NEAR(solution.trajectory["hamiltonian"].front(), 0, 1e-8);
  EXPECT_NEAR(solution.trajectory["p_z"].front(), 0, 1e-9);
  EXPECT_GT(solution.trajectory["bound.u"].front(), 0);
  EXPECT_LT(solution.trajectory["bound.u"].back(), 0);
}

TEST(Solve, CallsAbnormalExtremalsByTheirName) {
  const auto solution = solved(abnormal);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_TRUE(solution.abnormal);
  EXPECT_NEAR(solution.cost, 0.08, 1e-7);
  EXPECT_EQ(solution.trajectory["R"].front(), 0);
  EXPECT_FALSE(solved(regulator).abnormal);
}

TEST(Solve, MovesANonholonomicSleigh) {
  const auto solution = solved(sleigh);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  const auto& run = solution.trajectory;
  for (std::size_t k = 0; k < run.rows(); ++k)
    EXPECT_NEAR(run["vx"][k] * std::sin(run["th"][k]), run["vy"][k] * std::cos(run["th"][k]), 1e-9);
  EXPECT_NEAR(run["y"].back(), 0.5, 0);
  EXPECT_LT(residual(solution, "hamiltonian"), 1e-7);
  EXPECT_NE(run.find("lambda1"), nullptr);
}

TEST(Solve, MaximisesTheNegativeOfWhatItMinimises) {
  const auto least = solved(regulator);
  const auto most = solved(with(with(regulator, "running = \"(Q*x^2 + r*u^2)/2 + g*zeta\"",
                                     "sense = \"maximise\"\nrunning = \"-(Q*x^2 + r*u^2)/2 + g*zeta\""),
                                "s*x^2/2", "-s*x^2/2"));
  EXPECT_NEAR(most.cost, -least.cost, 1e-12);
  EXPECT_NEAR(most.trajectory["p_v"].front(), least.trajectory["p_v"].front(), 1e-11);
  EXPECT_NEAR(most.trajectory["R"].front(), least.trajectory["R"].front(), 1e-11);
}

TEST(Solve, NamesWhatCannotHold) {
  const auto solution = solved(mass_in("0.5"));
  EXPECT_EQ(solution.status, solve::Status::infeasible) << solution.reason;
  EXPECT_THAT(solution.reason, testing::HasSubstr("farthest from holding is"));
}

TEST(Solve, RefusesMoreConditionsThanEndValues) {
  const auto problem = io::parse_problem(
      with(regulator, "duration = 1.5", "duration = 1.5\nfinal = { x = 0 }\nconditions = [\"x_final - 1\"]"));
  try {
    (void)solve::solve(problem);
    FAIL() << "was solved";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "[boundary] has 1 condition for 0 end values that are not given; give fewer");
  }
}

TEST(Solve, RefusesWhatHasNoMinimum) {
  const auto refused = [](const std::string& text) {
    try {
      (void)solve::solve(io::parse_problem(text));
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("solved");
  };
  EXPECT_THAT(refused(with(heisenberg, "vakonomic", "nonholonomic")), testing::StartsWith("[constraints]"));
  EXPECT_THAT(refused(with(heisenberg, "[constraints]", "forces = { v1 = \"-v1\" }\n[constraints]")),
              testing::StartsWith("[dynamics]"));
}

TEST(Solve, TakesTheGuessOfAnAction) {
  const auto with_guess = [](const std::string& zeta) {
    return solved(with(regulator, "[initial]", "[guess]\nzeta = \"" + zeta + "\"\n[initial]"));
  };
  EXPECT_NEAR(with_guess("s^2/4").cost, regulator_cost, 1e-8);
  try {
    (void)with_guess("1/s");
    FAIL() << "the guess was ignored";
  } catch (const Refused& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("the guess of 'zeta' is not finite at s = 0"));
  }
}

TEST(Solve, MeetsConditionsThatJoinBothEnds) {
  // A closed curve of area 1 on the Heisenberg group from a free start on the line y = 0 is a circle.
  const auto solution = solved(with(with(with(heisenberg, "final = { x = 1, y = 0, s = 1 }",
                                              "final = { s = 1 }\nconditions = [\"x_final - x_initial\", "
                                              "\"y_final - y_initial\"]"),
                                         "y = \"-sin(pi*s)\"", "x = \"cos(2*pi*s)/2 - 0.5\"\ny = \"sin(2*pi*s)/2\""),
                                    "g = -0.3", "g = 0"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  // length^2/(2 T) with length^2 = 4 pi area.
  EXPECT_NEAR(solution.cost, M_PI, 1e-8);
}

TEST(Solve, DiscreteMechanicsIsExactOnItsMesh) {
  // A damped mass moved by 1 in time 2: the Gramian of the one-step map in rational arithmetic.
  const std::string mass = with(with(with(mass_in("2"), "final = { x = \"d\", v = 0 }", "final = { x = 1, v = 0 }"),
                                     "running = \"1\"", "running = \"u^2/2\""),
                                "bounds = { u = [-1, 1] }", "");
  auto problem = io::parse_problem(with(with(mass, "c = 0.4", "c = 0.5"), "[mesh]",
                                        "[discrete]\nrule = \"midpoint\"\naction_rule = \"implicit\"\n[mesh]\nmethod = "
                                        "\"direct-herglotz\"\nintervals = 8"));
  const auto solution = solve::solve(problem);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  ASSERT_EQ(solution.trajectory.rows(), 9U);
  EXPECT_NEAR(solution.cost, 4769324033.0 / 5703315472.0, 1e-13);
  EXPECT_NEAR(solution.trajectory["u"].front(), 2035574033.0 / 1425828868.0, 1e-12);
  EXPECT_NEAR(solution.trajectory["v"][1], 0.3359159060033844, 1e-13);
  EXPECT_NEAR(solution.trajectory["z"].back(), 0.18291373947063327, 1e-13);
  EXPECT_NEAR(solution.trajectory["p_v"].front(), 1.6724742148368397, 1e-12);
  EXPECT_NEAR(solution.trajectory["q_v"].front(), 1.534408010033427, 1e-12);
  EXPECT_NEAR(solution.trajectory["q_v"].back(), -1.5605404196402526, 1e-12);
}

TEST(Solve, MinimisingADiscreteActionGivesItsFactorsAndMomenta) {
  // A damped oscillator between two positions: the costates of the ends are the discrete momenta, R the factors.
  const std::string text = R"toml([model]
name = "oscillator"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2 - q^2/2 - 0.3*z"
[discrete]
rule = "midpoint"
[boundary]
duration = 1
final = { q = 1 }
[mesh]
method = "direct-herglotz"
intervals = 10
)toml";
  const auto solution = solve::solve(io::parse_problem(text));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  const auto& q = solution.trajectory["q"];
  const auto& p = solution.trajectory["p_v"];
  const auto& R = solution.trajectory["R"];
  const double h = 0.1;
  for (std::size_t k = 0; k + 1 < q.size(); ++k) {
    const double slope = (q[k + 1] - q[k]) / h;
    const double middle = (q[k] + q[k + 1]) / 2;
    EXPECT_NEAR(R[k] / R[k + 1], (1 - 0.15 * h) / (1 + 0.15 * h), 1e-13);
    EXPECT_NEAR(p[k + 1], (slope - h * middle / 2) / (1 + 0.15 * h), 1e-12);
    EXPECT_NEAR(p[k], (slope + h * middle / 2) / (1 - 0.15 * h), 1e-12);
  }
}

TEST(Solve, NamesOutputTimesOutsideThePath) {
  const auto solution = solved(with(regulator, "[boundary]", "[mesh]\noutput_times = [0.5, 1.5, 3]\n[boundary]"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_LT(row_at(solution, 0.5), solution.trajectory["t"].size());
  EXPECT_THAT(solution.notes,
              ::testing::Contains("output_times of [mesh] outside the path, which have no rows: 3; it ends at 1.5"));
}
