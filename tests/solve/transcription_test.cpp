// Transcriptions by Lobatto and by steps on groups: what their multipliers are, their orders and what they preserve.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "extremal.hpp"
#include "gauss_nlp.hpp"
#include "guess.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;

solve::Solution on_mesh(const std::string& text, const std::string& method, std::size_t intervals) {
  auto problem = io::parse_problem(text);
  problem.settings.method = method;
  problem.settings.intervals = intervals;
  problem.settings.tolerance = 1;
  return solve::solve(problem);
}

/// A discounted elastica on SE(2), whose coordinates know the angle by its sine and cosine.
const std::string elastica = R"toml([model]
name = "rod"
[algebroid]
kind = "action"
base = ["x", "y", "th"]
fibre = ["a", "b", "w"]
generators = [["cos(th)", "sin(th)", "0"], ["-sin(th)", "cos(th)", "0"], ["0", "0", "1"]]
[algebroid.brackets]
"w,a" = { b = "1" }
"w,b" = { a = "-1" }
[control]
controls = ["u"]
kinematics = { a = "1", b = "0", w = "u" }
[cost]
running = "u^2/2 - zeta/2 + zeta*u/10"
[boundary]
duration = 2
final = { x = 1.2, y = 0.8, th = -0.6 }
[guess]
th = "2*sin(pi*s)"
u = "3*(1 - 2*s)"
)toml";

/// Returns the largest relative change of R |p| at the nodes, with these components of p.
double spread(const solve::Solution& solution, const std::vector<std::string>& components) {
  const auto& run = solution.trajectory;
  const auto size = [&](std::size_t k) {
    double sum = 0;
    for (const std::string& p : components) sum += std::pow(run["R"][k] * run[p][k], 2);
    return std::sqrt(sum);
  };
  const double step = solution.duration / static_cast<double>(solution.intervals);
  double largest = 0;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    const double place = run["t"][k] / step;
    if (std::abs(place - std::round(place)) > 1e-9) continue;  // a row that is not a node
    largest = std::max(largest, std::abs(size(k) / size(0) - 1));
  }
  return largest;
}

using Quaternion = std::array<double, 4>;

/// Returns the vector v turned by the inverse of a unit quaternion.
std::array<double, 3> turned_back(const Quaternion& q, const std::array<double, 3>& v) {
  const auto cross = [](const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return std::array<double, 3>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const std::array<double, 3> axis{-q[1], -q[2], -q[3]};
  const auto once = cross(axis, v);
  const auto twice = cross(axis, once);
  std::array<double, 3> result{};
  for (std::size_t i = 0; i < 3; ++i) result[i] = v[i] + 2 * (q[0] * once[i] + twice[i]);
  return result;
}

}  // namespace

class Lobatto : public testing::TestWithParam<std::size_t> {};

// [Hag00]: the multipliers of Lobatto IIIA obey IIIB.
TEST_P(Lobatto, MultipliersObeyTheAdjointScheme) {
  const solve::Collocation method(GetParam(), solve::Points::lobatto);
  for (const std::string& text : {regulator, attitude, heisenberg}) {
    const auto problem = io::parse_problem(text);
    const solve::Setup setup(problem);
    solve::Arc arc;
    arc.duration = *setup.duration;
    for (int k = 0; k <= 8; ++k) arc.nodes.push_back(k / 8.0);
    const solve::Mesh mesh{{arc}};
    solve::GaussNlp nlp(setup, method, mesh);
    auto found = optimise::minimise(nlp, nlp.iterate(solve::guessed_path(setup, method, mesh)), {1e-9, 300});
    found = optimise::find_stationary(nlp, found.at, {1e-14, 50});
    ASSERT_EQ(found.verdict, optimise::Verdict::solved) << problem.system.name << ": " << found.reason;
    for (const auto& interval : nlp.path(found.at).intervals) {
      for (const auto& stage : interval.stages)
        for (const double slope : evaluate(setup, stage).K_w) EXPECT_NEAR(slope, 0, 1e-11) << problem.system.name;
      const auto end = best_step(setup, method, interval, interval.h);
      ASSERT_TRUE(end) << problem.system.name;
      for (std::size_t a = 0; a < setup.d(); ++a) {
        EXPECT_NEAR(end->v[a], interval.v1[a], 1e-12 * std::max(1.0, std::abs(interval.v1[a])));
        EXPECT_NEAR(end->P[a], interval.P1[a], 1e-12 * std::max(1.0, std::abs(interval.P1[a])));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stages, Lobatto, testing::Values(2U, 3U));

TEST(Transcription, HasTheOrderThatItsNameStates) {
  const auto error = [](const std::string& method, std::size_t intervals) {
    const auto solution = on_mesh(regulator, method, intervals);
    EXPECT_EQ(solution.method, method);
    EXPECT_EQ(solution.status, solve::Status::solved) << solution.reason;
    return std::array{std::abs(solution.cost - regulator_cost),
                      std::abs(solution.trajectory["p_v"].front() - regulator_costate)};
  };
  for (const auto& [method, order] :
       {std::pair<std::string, double>{"direct-lobatto-2", 2}, {"direct-lobatto-4", 4}, {"direct-lie-2", 2}}) {
    const auto coarse = error(method, 8);
    const auto fine = error(method, 16);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(std::log2(coarse[k] / fine[k]), order, 0.15) << method << k;
  }
}

TEST(Transcription, LobattoFindsJunctions) {
  auto problem = io::parse_problem(saturated);
  problem.settings.method = "direct-lobatto-4";
  problem.settings.tolerance = 1e-9;
  const auto solution = solve::solve(problem);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, -7.0 / 6, 1e-9);
}

TEST(Transcription, LobattoSaysThatItDoesNotSettleJunctions) {
  auto problem = io::parse_problem(bounded_oscillator);
  problem.settings.method = "direct-lobatto-4";
  problem.settings.tolerance = 1e-8;
  const auto solution = solve::solve(problem);
  EXPECT_EQ(solution.status, solve::Status::not_converged);
  EXPECT_THAT(solution.reason,
              testing::HasSubstr("direct-lobatto-4 does not settle when controls come to their bounds"));
}

TEST(Transcription, LobattoRefusesControlsThatSwitch) {
  try {
    (void)on_mesh(least_time, "direct-lobatto-2", 8);
    FAIL() << "was solved";
  } catch (const std::invalid_argument& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("cannot settle when it switches"));
  }
}

// R p stays on its coadjoint orbit on any mesh. Theory: docs/solve.md, Groups.
TEST(Transcription, StepsOnGroupsKeepCasimirsOfCostates) {
  for (const std::size_t intervals : {6U, 9U}) {
    const auto plane = on_mesh(elastica, "direct-lie-2", intervals);
    ASSERT_EQ(plane.status, solve::Status::solved) << plane.reason;
    EXPECT_LT(spread(plane, {"p_a", "p_b"}), 1e-12);
    const auto turned = on_mesh(attitude, "direct-lie-2", intervals);
    ASSERT_EQ(turned.status, solve::Status::solved) << turned.reason;
    EXPECT_LT(spread(turned, {"p_w1", "p_w2", "p_w3"}), 1e-12);
    // The costates themselves turn.
    EXPECT_GT(spread(turned, {"p_w1"}), 1e-3);
  }
}

// Costates of an optimal attitude: p_{k+1} = sigma_d Ad*_g p_k with g = q_k^-1 q_{k+1} and sigma_d = R_k/R_{k+1}.
TEST(Transcription, StepsOnGroupsAreThoseOfLieHph) {
  const auto solution = on_mesh(attitude, "direct-lie-2", 6);
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  const auto& run = solution.trajectory;
  std::size_t k = 0;
  for (std::size_t next = 1; next < run.rows(); ++next) {
    if (std::abs(run["t"][next] - 0.6) < 1e-12) continue;  // a row that is not a node
    const auto q = [&](std::size_t row, int sign) {
      return Quaternion{run["q0"][row], sign * run["q1"][row], sign * run["q2"][row], sign * run["q3"][row]};
    };
    const Quaternion a = q(k, -1);
    const Quaternion b = q(next, 1);
    const Quaternion g{
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    EXPECT_NEAR(g[0] * g[0] + g[1] * g[1] + g[2] * g[2] + g[3] * g[3], 1, 1e-13);
    const auto moved = turned_back(g, {run["p_w1"][k], run["p_w2"][k], run["p_w3"][k]});
    const double sigma = run["R"][k] / run["R"][next];
    EXPECT_NEAR(run["p_w1"][next], sigma * moved[0], 1e-12);
    EXPECT_NEAR(run["p_w2"][next], sigma * moved[1], 1e-12);
    EXPECT_NEAR(run["p_w3"][next], sigma * moved[2], 1e-12);
    k = next;
  }
}

TEST(Transcription, StepsOnGroupsAreRefusedWhereNoneIsKnown) {
  const auto refused = [](const std::string& text) {
    try {
      (void)on_mesh(text, "direct-lie-2", 8);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("solved");
  };
  EXPECT_THAT(refused(with(with(elastica, "\"0\", \"0\", \"1\"", "\"0\", \"0\", \"1 + x^2\""),
                           "\"w,a\" = { b = \"1\" }\n\"w,b\" = { a = \"-1\" }", "")),
              testing::StartsWith("[algebroid]"));
}

// Stages of Lobatto at the ends have costates of their own there. Where the time of such a stage is rounded, it is not
// taken for one inside: a polynomial through both values at the same place would be beyond all sizes.
TEST(Transcription, StagesAtTheEndsOfAnIntervalAreItsNodesHoweverTheirTimesAreRounded) {
  for (int k = 0; k < 200; ++k) {
    solve::Interval interval;
    interval.t = 0.0375 * k;
    interval.h = 0.0375;
    interval.v0 = interval.v1 = {1};
    interval.P0 = interval.P1 = {2};
    for (const double c : {0.0, 0.5, 1.0}) {
      solve::Stage stage;
      stage.t = interval.t + c * interval.h;
      stage.v = {1};
      stage.P = {c == 0.5 ? 2 : 2.1};
      stage.w = {3};
      interval.stages.push_back(stage);
    }
    const auto between = solve::at(interval, interval.t + 0.8 * interval.h);
    EXPECT_NEAR(between.v[0], 1, 1e-12) << k;
    EXPECT_NEAR(between.P[0], 2, 1e-12) << k;
    EXPECT_NEAR(between.w[0], 3, 1e-12) << k;
  }
}
