// Direct transcription by Gauss collocation: its multipliers are the costates of the contact Gauss method, at its
// order.

#include <gtest/gtest.h>

#include <cmath>

#include "certificate/gaps.hpp"
#include "extremal.hpp"
#include "gauss_nlp.hpp"
#include "guess.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;
using solve::Hold;

solve::Mesh one_arc(std::size_t intervals, double duration) {
  solve::Arc arc;
  arc.duration = duration;
  for (std::size_t k = 0; k <= intervals; ++k)
    arc.nodes.push_back(static_cast<double>(k) / static_cast<double>(intervals));
  return {{arc}};
}

struct Result {
  double cost;
  double costate;
};

Result regulator_on(const std::string& method, std::size_t intervals) {
  auto problem = io::parse_problem(regulator);
  problem.settings.method = method;
  problem.settings.intervals = intervals;
  problem.settings.tolerance = 1;
  const auto solution = solve::solve(problem);
  return {solution.cost, solution.trajectory["p_v"].front()};
}

}  // namespace

class Gauss : public testing::TestWithParam<std::size_t> {};

TEST_P(Gauss, MultipliersObeyTheSameSchemeAsTheStates) {
  const std::size_t stages = GetParam();
  // With vy given too, the constraint at the end would be stated twice and costates would not be unique.
  const std::string once = with(sleigh, "vx = 0, vy = 0,", "vx = 0,");
  for (const std::string& text : {regulator, attitude, heisenberg, once}) {
    const auto problem = io::parse_problem(text);
    const solve::Setup setup(problem);
    const solve::Collocation method(stages);
    const auto mesh = one_arc(8, *setup.duration);
    solve::GaussNlp nlp(setup, method, mesh);
    auto found = optimise::minimise(nlp, nlp.iterate(solve::guessed_path(setup, method, mesh)), {1e-9, 300});
    found = optimise::find_stationary(nlp, found.at, {1e-14, 50});
    ASSERT_EQ(found.verdict, optimise::Verdict::solved) << problem.system.name << ": " << found.reason;
    const auto path = nlp.path(found.at);
    for (const auto& interval : path.intervals) {
      for (const auto& stage : interval.stages)
        for (const double slope : evaluate(setup, stage).K_w) EXPECT_NEAR(slope, 0, 1e-11) << problem.system.name;
      const auto end = best_step(setup, method, interval, interval.h);
      ASSERT_TRUE(end) << problem.system.name;
      for (std::size_t a = 0; a < setup.d(); ++a) {
        EXPECT_NEAR(end->v[a], interval.v1[a], 1e-12 * std::max(1.0, std::abs(interval.v1[a])));
        EXPECT_NEAR(end->P[a], interval.P1[a], 1e-11 * std::max(1.0, std::abs(interval.P1[a])));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stages, Gauss, testing::Values(1U, 2U, 3U));

TEST(Gauss, CostAndCostatesConvergeAtTwiceTheStages) {
  for (const auto& [method, order] : {std::pair<std::string, double>{"direct-gauss-2", 2}, {"direct-gauss-4", 4}}) {
    const Result coarse = regulator_on(method, 8);
    const Result fine = regulator_on(method, 16);
    const auto slope = [](double one, double other, double exact) {
      return std::log2(std::abs(one - exact) / std::abs(other - exact));
    };
    EXPECT_NEAR(slope(coarse.cost, fine.cost, regulator_cost), order, 0.15) << method;
    EXPECT_NEAR(slope(coarse.costate, fine.costate, regulator_costate), order, 0.15) << method;
  }
}

TEST(Gauss, DerivativesAreThoseOfTheFunctions) {
  const auto problem = io::parse_problem(with(least_time, "running = \"1\"", "running = \"1 + u*v*zeta + t*x^2\""));
  const solve::Setup setup(problem);
  const solve::Collocation method(2);
  solve::Mesh mesh = one_arc(3, 1.5);
  mesh.arcs.push_back(mesh.arcs.front());
  mesh.arcs.front().held = {Hold::upper};
  solve::GaussNlp nlp(setup, method, mesh);
  auto at = nlp.iterate(solve::guessed_path(setup, method, one_arc(3, 3)));
  for (std::size_t i = 0; i < at.x.size(); ++i) at.x[i] += 0.1 * std::sin(static_cast<double>(i));
  for (std::size_t j = 0; j < at.mu.size(); ++j) at.mu[j] = std::cos(static_cast<double>(j));
  const std::size_t n = at.x.size();
  const std::size_t m = at.mu.size();
  const auto lagrange_gradient = [&](const std::vector<double>& x) {
    std::vector<double> gradient(n);
    std::vector<double> entries(nlp.jacobian_places().size());
    nlp.gradient(x, gradient);
    nlp.jacobian(x, entries);
    for (std::size_t e = 0; e < entries.size(); ++e)
      gradient[static_cast<std::size_t>(nlp.jacobian_places().col[e])] +=
          entries[e] * at.mu[static_cast<std::size_t>(nlp.jacobian_places().row[e])];
    return gradient;
  };
  const auto lagrange = [&](const std::vector<double>& x) {
    std::vector<double> g(m);
    nlp.constraints(x, g);
    double sum = nlp.objective(x);
    for (std::size_t j = 0; j < m; ++j) sum += at.mu[j] * g[j];
    return sum;
  };
  std::vector<double> entries(nlp.hessian_places().size());
  nlp.hessian(at.x, 1, at.mu, entries);
  std::vector<std::vector<double>> hessian(n, std::vector<double>(n, 0.0));
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto row = static_cast<std::size_t>(nlp.hessian_places().row[e]);
    const auto col = static_cast<std::size_t>(nlp.hessian_places().col[e]);
    ASSERT_GE(row, col);
    hessian[row][col] += entries[e];
    if (row != col) hessian[col][row] += entries[e];
  }
  const auto gradient = lagrange_gradient(at.x);
  constexpr double step = 1e-5;
  for (std::size_t i = 0; i < n; ++i) {
    auto left = at.x;
    auto right = at.x;
    left[i] -= step;
    right[i] += step;
    EXPECT_NEAR((lagrange(right) - lagrange(left)) / (2 * step), gradient[i], 1e-8) << i;
    const auto before = lagrange_gradient(left);
    const auto after = lagrange_gradient(right);
    for (std::size_t k = 0; k < n; ++k)
      EXPECT_NEAR((after[k] - before[k]) / (2 * step), hessian[i][k], 1e-8) << i << " " << k;
  }
}

// A body goes as far as it can in the time 2 with |u| <= 1, and ends at rest: u = 1 up to t = 1, then -1, and x = 1. On
// seven equal intervals the jump is inside of one. Equations and cost are linear, so that no path is better than the
// best one by more than the gap.
TEST(Gaps, BoundWhatAMeshMissesWhereAControlJumps) {
  const auto problem = io::parse_problem(R"toml([model]
name = "farthest"
[algebroid]
kind = "tangent"
base = ["x", "v"]
fibre = ["wx", "wv"]
[control]
controls = ["u"]
kinematics = { wx = "v", wv = "u" }
bounds = { u = [-1, 1] }
[cost]
terminal = "-x"
[boundary]
duration = 2
final = { v = 0 }
)toml");
  const solve::Setup setup(problem);
  const auto missed = [&](std::size_t intervals) {
    const solve::Collocation method(3);
    auto mesh = one_arc(intervals, 2);
    mesh.arcs.front().held = {Hold::free};
    solve::GaussNlp nlp(setup, method, mesh);
    const auto found = optimise::minimise(nlp, nlp.iterate(solve::guessed_path(setup, method, mesh)), {1e-11, 300});
    EXPECT_EQ(found.verdict, optimise::Verdict::solved) << found.reason;
    const auto path = nlp.path(found.at);
    const double error = std::abs(1 - path.intervals.back().v1[0]);
    const auto gaps = solve::gaps_of(setup, path);
    EXPECT_LE(error, gaps.of_cost);
    EXPECT_LE(gaps.of_cost, 0.01);
    for (std::size_t k = 0; k < intervals; ++k)
      if (2 * k + 1 != intervals) {
        EXPECT_LE(gaps.of_intervals[k], 1e-9) << k;
      }
    return gaps.of_intervals[intervals / 2];
  };
  // The interval of the jump has the gap ~ h^2.
  EXPECT_NEAR(std::log2(missed(7) / missed(21)) / std::log2(3.0), 2, 0.2);
}
