// Multiple shooting from direct solutions: closed forms to rounding, its equations, and what it refuses.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"
#include "residual.hpp"
#include "shooting/boundary_system.hpp"
#include "shooting/shoot.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;
using solve::Hold;

solve::Solution shot(const std::string& text, const std::string& method = "shooting") {
  auto problem = io::parse_problem(text);
  problem.settings.method = method;
  return solve::solve(problem);
}

/// A mass whose rates, cost, end and duration all depend on time and on each other; one switch.
const std::string timed = with(
    with(with(least_time, "running = \"1\"", "running = \"1 + 0.3*t*v + 0.1*zeta\"\nterminal = \"0.2*duration^2\""),
         "final = { x = \"d\", v = 0 }", "final = { v = 0 }\nconditions = [\"x_final*exp(0.1*duration) - d\"]"),
    "forces = { v = \"u\" }", "forces = { v = \"u*(1 + 0.1*sin(t))\" }");

/// A turnpike that the action of the cost moves: u is singular where x + zeta/5 + 1/10 = 0.
const std::string turnpike = R"toml([model]
name = "turnpike"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[control]
controls = ["u"]
kinematics = { v = "u" }
bounds = { u = [-1, 1] }
[cost]
running = "x^2/2 + 0.2*zeta + zeta*x/5 + 0.1*x"
[boundary]
duration = 3
final = { x = 0.5 }
[initial]
x = 1
)toml";

}  // namespace

TEST(Shooting, AgreesWithClosedFormsToRounding) {
  const auto regulated = shot(regulator);
  ASSERT_EQ(regulated.status, solve::Status::solved) << regulated.reason;
  EXPECT_EQ(regulated.method, "shooting");
  EXPECT_NEAR(regulated.cost, regulator_cost, 1e-14);
  EXPECT_LE(std::abs(regulated.cost - regulator_cost), regulated.cost_error + 1e-15);
  EXPECT_NEAR(regulated.trajectory["p_v"].front(), regulator_costate, 1e-13);
  EXPECT_NEAR(regulated.trajectory["p_v"].back(), -0.8 * regulated.trajectory["x"].back(), 1e-14);

  const auto fastest = shot(least_time);
  ASSERT_EQ(fastest.status, solve::Status::solved) << fastest.reason;
  EXPECT_NEAR(fastest.duration, 2.904420488868131, 1e-13);
  EXPECT_NEAR(fastest.switching_times.at("u").front(), 1.8522102444340656, 1e-13);
  EXPECT_NEAR(fastest.trajectory["p_v"].front(), 0.7643686300452318, 1e-12);

  const auto leaves = shot(saturated);
  ASSERT_EQ(leaves.status, solve::Status::solved) << leaves.reason;
  EXPECT_NEAR(leaves.cost, -7.0 / 6, 1e-14);
  EXPECT_NEAR(leaves.switching_times.at("u").front(), 1, 1e-13);
}

TEST(Shooting, SolvesVakonomicAndAttitudeProblems) {
  const auto geodesic = shot(heisenberg);
  ASSERT_EQ(geodesic.status, solve::Status::solved) << geodesic.reason;
  EXPECT_NEAR(geodesic.cost, 1.3135301251021025, 1e-13);
  EXPECT_NEAR(geodesic.trajectory["nu1"].front(), -2.9096976538549533, 1e-12);
  const auto turned = shot(attitude);
  ASSERT_EQ(turned.status, solve::Status::solved) << turned.reason;
  EXPECT_NEAR(turned.cost, 0.4287621251711076, 1e-13);
  EXPECT_NEAR(turned.trajectory["p_w1"].front(), 0.7384666720905567, 1e-12);
}

TEST(Shooting, StatesTheDifferenceFromTheDirectMethod) {
  const auto solution = shot(bounded_oscillator);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  const auto direct = shot(bounded_oscillator, "direct-gauss-6");
  EXPECT_LT(std::abs(solution.cost - direct.cost), direct.cost_error + solution.cost_error + 1e-12);
  ASSERT_EQ(solution.switching_times.at("u").size(), 3U);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(solution.switching_times.at("u")[k], direct.switching_times.at("u")[k],
                5 * residual(solution, "direct_minus_shooting"));
  EXPECT_GT(residual(solution, "direct_minus_shooting"), 0);
  EXPECT_LT(residual(solution, "direct_minus_shooting"), 1e-8);
  EXPECT_TRUE(std::isnan(residual(direct, "direct_minus_shooting")));
  EXPECT_LT(residual(solution, "hamiltonian"), 1e-12);
}

TEST(Shooting, FindsADurationThatEntersEverything) {
  const auto solution = shot(timed, "auto");
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  ASSERT_EQ(solution.method, "shooting") << testing::PrintToString(solution.notes);
  const auto& run = solution.trajectory;
  EXPECT_NEAR(run["x"].back() * std::exp(0.1 * solution.duration), 2, 1e-13);
  EXPECT_LT(residual(solution, "hamiltonian"), 1e-9);
  // K(T) + G_T = 0 with G = zeta + T^2/5 + kappa (x exp(T/10) - 2) and P_x(T) = kappa exp(T/10): the multiplier of the
  // end condition is known by the costate.
  const double P = -run["p_v"].back();
  EXPECT_NEAR(-run["hamiltonian"].back() + 0.4 * solution.duration + 0.1 * P * run["x"].back(), 0, 1e-11);
  const auto direct = shot(timed, "direct-gauss-6");
  EXPECT_NEAR(solution.cost, direct.cost, direct.cost_error + solution.cost_error + 1e-12);
}

TEST(Shooting, EquationsHaveTheDerivativesTheyState) {
  const auto problem = io::parse_problem(timed);
  const solve::Setup setup(problem);
  const std::size_t d = setup.d();
  for (const bool abnormal : {false, true}) {
    const solve::ShootingProblem shooting{{{{Hold::upper}, {0, 0.4, 1}}, {{Hold::lower}, {0, 1}}},
                                          std::nullopt,
                                          abnormal,
                                          {1, 2, 0.5, 3, 1, 2, 3, 0.5},
                                          2};
    ASSERT_EQ(shooting.sizes.size(), 2 * d);
    const solve::BoundarySystem system(setup, shooting);
    solve::Trial trial;
    for (std::size_t k = 0; k < 4; ++k) {
      Eigen::VectorXd x(static_cast<Eigen::Index>(2 * d));
      for (Eigen::Index i = 0; i < x.size(); ++i)
        x[i] = 0.7 + 0.3 * std::sin(static_cast<double>(k + 3) * static_cast<double>(i + 1));
      trial.x.push_back(x);
      trial.w.push_back({0.1, 0.2});  // the acceleration and its multiplier
    }
    trial.durations = {1.1, 0.8};
    trial.ends = {0.6};
    trial.price = abnormal ? 0.3 : 1;
    const auto here = system.equations(trial);
    ASSERT_TRUE(here);
    ASSERT_EQ(static_cast<std::size_t>(here->residual.size()), system.size());
    const Eigen::MatrixXd jacobian(here->jacobian);
    constexpr double h = 1e-4;
    for (std::size_t j = 0; j < system.size(); ++j) {
      const Eigen::VectorXd unit =
          Eigen::VectorXd::Unit(static_cast<Eigen::Index>(system.size()), static_cast<Eigen::Index>(j));
      const auto at = [&](double length) {
        auto moved = system.moved(trial, unit, length);
        return system.equations(moved)->residual;
      };
      const Eigen::VectorXd slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      EXPECT_LT((slope - jacobian.col(static_cast<Eigen::Index>(j))).lpNorm<Eigen::Infinity>(), 1e-9) << j;
    }
  }
}

TEST(Shooting, CountsTheFamilyThatTheEndsLeave) {
  // The end on the vertical axis: rotations about the axis fix both ends.
  const auto solution =
      shot(with(with(heisenberg, "final = { x = 1, y = 0, s = 1 }", "final = { x = 0, y = 0, s = 1 }"),
                "y = \"-sin(pi*s)\"", "x = \"sin(2*pi*s)/2\"\ny = \"(cos(2*pi*s) - 1)/2\""));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_THAT(solution.notes, testing::Contains("the conditions leave a family of solutions of dimension 1"));
  // length^2 = 4 pi area, and the cost is length^2 g/(2 (1 - exp(-g T))).
  EXPECT_NEAR(solution.cost, 4 * M_PI * -0.3 / (2 * (1 - std::exp(0.6))), 1e-11);
}

// dS/dt = -R (x + zeta/5 + 1/10) = 0 and d^2 S/dt^2 = 0 give u = -ell/5, worked by hand.
TEST(Shooting, FollowsSingularArcs) {
  const auto solution = shot(turnpike);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_EQ(solution.method, "shooting");
  EXPECT_THAT(solution.structure, testing::StartsWith("u: min, singular, max; switches at"));
  const auto& times = solution.switching_times.at("u");
  ASSERT_EQ(times.size(), 2U);
  const auto& run = solution.trajectory;
  std::size_t inside = 0;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    if (run["t"][k] < times[0] - 1e-9 || run["t"][k] > times[1] - 1e-9) continue;
    ++inside;
    const double x = run["x"][k];
    const double zeta = run["zeta"][k];
    EXPECT_NEAR(x + zeta / 5 + 0.1, 0, 1e-12);
    EXPECT_NEAR(run["u"][k], -(x * x / 2 + 0.2 * zeta + zeta * x / 5 + 0.1 * x) / 5, 1e-9);
    EXPECT_NEAR(run["p_v"][k], 0, 1e-12);
  }
  EXPECT_GT(inside, 4U);
  EXPECT_NEAR(run["x"].back(), 0.5, 1e-13);
  const auto direct = shot(turnpike, "direct-gauss-6");
  EXPECT_NEAR(solution.cost, direct.cost, 1e-9);
}

TEST(Shooting, FollowsSingularArcsToTheEnd) {
  const auto solution = shot(with(turnpike, "final = { x = 0.5 }", ""));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  ASSERT_EQ(solution.switching_times.at("u").size(), 1U) << solution.structure;
  // S = 0 along the arc, and p(T) = 0 at its end.
  EXPECT_NEAR(solution.trajectory["switch.u"].back(), 0, 1e-12);
  EXPECT_NEAR(solution.trajectory["x"].back() + solution.trajectory["zeta"].back() / 5 + 0.1, 0, 1e-12);
  const auto inside = shot(turnpike);
  EXPECT_NEAR(solution.switching_times.at("u").front(), inside.switching_times.at("u").front(), 1e-11);
}

TEST(Shooting, RefusesByNameWhatItCannotHonour) {
  const auto refused = [](const std::string& text) {
    try {
      (void)shot(text);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("solved");
  };
  EXPECT_EQ(refused(limited),
            "[mesh] asks for shooting, but inequality 1 of [control] path is active, which shooting cannot honour; use "
            "direct-gauss-6");
  const auto loose = shot(with(limited, "x - 0.12", "x - 0.5"), "auto");  // an inequality that is not active
  EXPECT_EQ(loose.method, "shooting");
  EXPECT_NEAR(loose.cost, 2, 1e-12);
  EXPECT_EQ(shot(limited, "auto").method, "direct-gauss-6");
  EXPECT_THAT(refused(abnormal), testing::HasSubstr("the extremal is abnormal"));
  const std::string beside = with(with(with(with(with(with(turnpike, "base = [\"x\"]", "base = [\"x\", \"y\"]"),
                                                      "fibre = [\"v\"]", "fibre = [\"v\", \"w\"]"),
                                                 "controls = [\"u\"]", "controls = [\"u\", \"f\"]"),
                                            "v = \"u\" }", "v = \"u\", w = \"f\" }"),
                                       "running = \"", "running = \"f^2/2 + "),
                                  "final = { x = 0.5 }", "final = { x = 0.5, y = 0.3 }");
  EXPECT_THAT(refused(beside), testing::HasSubstr("while the other controls are at their bounds"));
  const auto kept = shot(abnormal, "auto");
  EXPECT_EQ(kept.method, "direct-gauss-6");
  EXPECT_THAT(kept.notes, testing::Contains(testing::StartsWith("the solution is that of direct-gauss-6")));
}
