// Systems of so many coordinates that their matrices are eliminated as sparse ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/members.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace {

using namespace herglotz;
using simulate::InitialState;
using simulate::Settings;
using simulate::Simulator;
using symbolic::Expr;

struct Large {
  mechanics::System system;
  InitialState start;
};

/// Masses in a row with nonlinear springs, each of which pulls its neighbour along.
Large chain(std::size_t links) {
  auto graph = std::make_shared<symbolic::Graph>();
  std::vector<Expr> q;
  std::vector<Expr> v;
  InitialState start;
  for (std::size_t i = 0; i < links; ++i) {
    q.push_back(graph->symbol("q" + std::to_string(i)));
    v.push_back(graph->symbol("v" + std::to_string(i)));
    start["q" + std::to_string(i)] = 0.3 * std::sin(0.4 * static_cast<double>(i));
  }
  auto system = mechanics::make_system(geometry::tangent(graph, {q, v}));
  system.generator = -system.z / 5 - system.z * system.z / 100;
  for (std::size_t i = 0; i < links; ++i) {
    const Expr stretch = i > 0 ? q[i] - q[i - 1] : q[i];
    system.generator += v[i] * v[i] / 2 - 20.0 * stretch * stretch - 10.0 * pow(stretch, 4);
    if (i > 0) system.generator += v[i] * v[i - 1] / 4;
  }
  return {std::move(system), std::move(start)};
}

/// Rods in a row that hang from the origin, as points at given distances.
Large rods(std::size_t count) {
  auto graph = std::make_shared<symbolic::Graph>();
  std::vector<Expr> q;
  std::vector<Expr> v;
  std::vector<Expr> lengths;
  InitialState start;
  const double length = 1 / static_cast<double>(count);
  double x = 0;
  double y = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string of = std::to_string(i);
    const double angle = 0.9 - 0.6 * static_cast<double>(i) * length;
    start["x" + of] = x += length * std::sin(angle);
    start["y" + of] = y -= length * std::cos(angle);
    for (const char* name : {"x", "y"}) q.push_back(graph->symbol(name + of));
    for (const char* name : {"u", "w"}) v.push_back(graph->symbol(name + of));
    const Expr across = i > 0 ? q[2 * i] - q[2 * i - 2] : q[0];
    const Expr down = i > 0 ? q[2 * i + 1] - q[2 * i - 1] : q[1];
    lengths.push_back(across * across + down * down - length * length);
  }
  auto system = mechanics::make_system(geometry::tangent(graph, {q, v}));
  system.generator = -system.z / 10;
  for (std::size_t k = 0; k < v.size(); ++k) system.generator += length * v[k] * v[k] / 2;
  for (std::size_t i = 0; i < count; ++i) system.generator -= 9.81 * length * q[2 * i + 1];
  // The horizontal momentum of all points changes by the force of the pivot, a multiplier.
  mechanics::Symmetry along{"along", {}};
  for (std::size_t k = 0; k < v.size(); ++k) along.section.push_back(graph->number(std::int64_t{k % 2 == 0 ? 1 : 0}));
  system.symmetries.push_back(along);
  mechanics::constrain(system, mechanics::Rule::nonholonomic, std::move(lengths));
  return {std::move(system), std::move(start)};
}

struct Implicit {
  const char* method;
  double tolerance;
  std::size_t iterations;  // most of Newton's method in a step, if it contracts as with the exact matrices
};

void expect_motion(const Implicit& by, const Large& large, double t_end) {
  const Simulator simulator(large.system, {}, large.start);
  Settings settings;
  settings.t_end = t_end;
  settings.tolerance = 1e-11;
  settings.method = "reference";
  const auto exact = simulator.run(large.start, settings);
  settings.tolerance = by.tolerance;
  settings.method = by.method;
  const auto run = simulator.run(large.start, settings);
  for (const auto& column : exact.columns) {
    if (!large.start.contains(column.name)) continue;
    EXPECT_NEAR(run[column.name].back(), column.values.back(), 1e-7) << column.name;
  }
  EXPECT_LT(run.facts.largest_energy_residual, 1e-7);
  EXPECT_LE(run.facts.newton_iterations, by.iterations * run.facts.steps);
}

class ImplicitSteps : public testing::TestWithParam<Implicit> {};

// E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, Sec. IV.8.
TEST_P(ImplicitSteps, MoveLargeSystemsInMassFormAsTheReferenceDoes) {
  expect_motion(GetParam(), chain(40), 0.5);  // with a dense matrix
  expect_motion(GetParam(), chain(70), 0.5);
}

TEST_P(ImplicitSteps, KeepTheConstraintsOfLargeSystems) {
  expect_motion(GetParam(), rods(24), 0.05);
}

INSTANTIATE_TEST_SUITE_P(LargeSystems, ImplicitSteps,
                         testing::Values(Implicit{"radau-5", 1e-8, 4}, Implicit{"stiff", 1e-10, 2}),
                         [](const auto& by) { return std::string(by.param.method).substr(0, 5); });

// Sparse and dense matrices have the same bits in lanes and alone.
TEST(LargeSystems, HaveTheBitsOfARunAloneInLanes) {
  for (const Large& large : {chain(40), chain(70), rods(24)}) {
    const Simulator simulator(large.system, {}, large.start);
    Settings settings;
    settings.t_end = 0.02;
    settings.tolerance = 1e-6;
    settings.method = "radau-5";
    const std::string varying = "z";
    constexpr std::size_t count = 5;
    const auto ends = [&](int lanes) {
      const simulate::Members members(simulator, {large.start, {}, {}, settings}, {{false, varying}}, lanes);
      EXPECT_EQ(members.lanes(), lanes);
      std::vector<std::vector<double>> last(count);
      members.run(
          count, [](std::size_t k, std::span<double> values) { values[0] = 0.1 * static_cast<double>(k); },
          {[&](std::size_t k, std::size_t, std::span<const double> row) { last[k].assign(row.begin(), row.end()); },
           [](std::size_t, const simulate::Members::End& end) { EXPECT_EQ(end.failure, ""); }},
          {});
      return last;
    };
    EXPECT_EQ(ends(compile::native_lanes()), ends(1));
  }
}

}  // namespace
