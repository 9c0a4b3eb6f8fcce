// Actions, variations and forces of given paths in C++; docs/paths.md has the same from Python.
#include "herglotz/simulate/path.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/geometry/builders.hpp"

namespace {

using namespace herglotz;
using mechanics::complete_path;
using mechanics::System;
using simulate::PathFunctional;
using symbolic::Expr;

/// L = v^2/2 - gamma z on the line, in the frame v = x'/(1 + x^2).
System particle() {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr x = graph->symbol("x");
  geometry::Matrix frame(1, 1, 1.0 + x * x);
  System system = mechanics::make_system(geometry::hamel(graph, {{x}, {graph->symbol("v")}}, frame));
  system.parameters.push_back({graph->symbol("gamma"), 0.5});
  const Expr v = system.algebroid.y.front();
  system.generator = v * v / 2 - system.parameters.front().symbol * system.z;
  return system;
}

PathFunctional tangent_path(const System& system, const std::vector<Expr>& section = {}) {
  const auto path = complete_path(system, {tan(system.t)}, {});  // v = x'/(1 + x^2) = 1
  return {system, simulate::jet_of(system, path, {0.5}), {0.5}, section};
}

TEST(Paths, TheAnchorGivesTheVelocityAndTheActionFollows) {
  // z' = 1/2 - z/2 from 0: z = 1 - exp(-t/2). [ASC25, Eq. 6].
  const System system = particle();
  const std::vector<double> times{0, 0.5, 1};
  const auto functional = tangent_path(system);
  const auto actions = functional.follow(0, times);
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(actions[k].z, 1 - std::exp(-times[k] / 2), 1e-14);
  EXPECT_LT(functional.admissibility_defect(times), 1e-15);
  // p = v = 1 needs the force gamma p. [GG08, Eq. 4.13].
  for (const double force : functional.forces(0, times)) EXPECT_NEAR(force, 0.5, 1e-14);
}

TEST(Paths, TheVariationIsAdmissibleAndItsActionIsTheDerivative) {
  // delta x = (1 + x^2) s and delta v = s', so that delta z' = v s' - gamma delta z; s = t gives 2 (1 - exp(-t/2)).
  const System system = particle();
  const auto functional = tangent_path(system, {system.t});
  const std::vector<double> times{0, 1};
  EXPECT_NEAR(functional.follow(0, times).back().variation, 2 * (1 - std::exp(-0.5)), 1e-14);
  const auto varied = functional.variation(times);
  EXPECT_NEAR(varied[2], 1 + std::tan(1) * std::tan(1), 1e-14);
  EXPECT_NEAR(varied[3], 1, 1e-14);
}

TEST(Paths, RowsHaveThePolynomialThroughThem) {
  simulate::PathRows rows;
  for (int k = 0; k < 12; ++k) {
    const double t = 0.1 * k + 0.01 * k * k;
    rows.times.push_back(t);
    rows.values.insert(rows.values.end(), {std::pow(t, 8) - t, 8 * std::pow(t, 7)});
  }
  const auto jet = simulate::jet_of(rows);
  std::vector<double> values(4);
  jet(1.234, values);
  EXPECT_NEAR(values[0], std::pow(1.234, 8) - 1.234, 1e-11);
  EXPECT_NEAR(values[2], 8 * std::pow(1.234, 7) - 1, 1e-10);
  EXPECT_NEAR(values[3], 56 * std::pow(1.234, 6), 1e-9);
  rows.times[3] = rows.times[2];
  EXPECT_THROW(simulate::jet_of(rows), std::invalid_argument);
}

TEST(Paths, WhatTheAnchorDoesNotGiveIsAskedFor) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto so3 = geometry::lie_algebra(graph, {{}, {graph->symbol("a"), graph->symbol("b"), graph->symbol("c")}},
                                         geometry::group_structure(*graph, "so3", 3), "so3");
  const System system = mechanics::make_system(so3);
  try {
    (void)complete_path(system, {}, {graph->number(1), std::nullopt, std::nullopt});
    FAIL() << "the path lacks b and c";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("the anchor does not give b, c"), std::string::npos) << error.what();
  }
}

TEST(Paths, AnActionThatLeavesTheNumbersIsRefused) {
  System system = particle();
  system.generator = system.z * system.z;  // z = 1/(1 - t) from 1
  const auto functional = tangent_path(system);
  EXPECT_NEAR(functional.follow(1, std::vector<double>{0, 0.9}).back().z, 10, 1e-10);
  EXPECT_THROW((void)functional.follow(1, std::vector<double>{0, 1.5}), std::runtime_error);
}

}  // namespace
