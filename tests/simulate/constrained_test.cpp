// How constrained systems are run: starts, columns, redundancy, and what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace {

using namespace herglotz;
using mechanics::Rule;
using simulate::InitialState;
using simulate::RunFailed;
using simulate::Settings;
using simulate::Simulator;
using symbolic::Expr;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// A damped particle in the plane with coordinates a, b and velocities u, v, of masses 1 and 4.
struct Plane {
  Plane() {
    auto graph = std::make_shared<symbolic::Graph>();
    a = graph->symbol("a");
    b = graph->symbol("b");
    u = graph->symbol("u");
    v = graph->symbol("v");
    system = mechanics::make_system(geometry::tangent(graph, {{a, b}, {u, v}}));
    system.generator = (u * u + 4.0 * v * v) / 2 - b - system.z / 5;
  }
  Plane& with(Rule rule, std::vector<Expr> equations) {
    mechanics::constrain(system, rule, std::move(equations));
    return *this;
  }
  Expr a, b, u, v;
  mechanics::System system;
};

Settings constrained_settings(std::string method, double t_end) {
  Settings s;
  s.method = std::move(method);
  s.t_end = t_end;
  if (s.method.rfind("contact", 0) == 0) s.step = 0.01;
  return s;
}

std::string failure_on_constraints(const Simulator& simulator, const InitialState& initial, const Settings& s) {
  try {
    (void)simulator.run(initial, s);
  } catch (const RunFailed& e) {
    EXPECT_FALSE(e.partial.facts.complete);
    return e.what();
  }
  return "the run did not fail";
}

TEST(ConstrainedRun, HasMultipliersAfterTheActionAndConstraintsAfterTheMomenta) {
  for (const Rule rule : {Rule::nonholonomic, Rule::vakonomic}) {
    Plane p;
    p.with(rule, {p.u - p.a * p.v}).system.symmetries.push_back({"s", {p.u.graph().number(1), p.u.graph().number(0)}});
    p.system.observables.push_back({"force", p.system.constraints.multipliers[0] * 2.0});
    const auto run = Simulator(p.system).run({}, constrained_settings("reference", 1));
    std::vector<std::string> names;
    for (const auto& column : run.columns) names.push_back(column.name);
    const std::string multiplier = rule == Rule::vakonomic ? "nu1" : "lambda1";
    EXPECT_THAT(names, ElementsAre("t", "a", "b", "u", "v", "z", multiplier, "energy", "integrating_factor",
                                   "energy_invariant", "energy_residual", "momentum.s", "momentum_invariant.s",
                                   "momentum_residual.s", "constraint.1", "force"));
    EXPECT_EQ(run["force"].back(), 2 * run[multiplier].back());
    EXPECT_LT(run.facts.largest_constraint_residual, 1e-12);
  }
}

// A particle of mass 4 on a rod that falls is held by the force of the rod alone. Statics by hand.
TEST(ConstrainedRun, MultiplierIsTheForceThatHolds) {
  Plane p;
  p.with(Rule::nonholonomic, {p.b - 2.0});
  for (const std::string method : {"reference", "stiff", "radau-5", "contact-gauss-4"}) {
    const auto run = Simulator(p.system).run({{"b", 2.0}, {"u", 1.0}}, constrained_settings(method, 2));
    for (const double lambda : run["lambda1"]) EXPECT_NEAR(lambda, 1, 1e-12) << method;
    EXPECT_NEAR(run["u"].back(), std::exp(-0.4), 1e-7) << method;
  }
}

// The derivative of such a constraint has L in it, so that errors of the action are errors of the velocities.
TEST(ConstrainedRun, StiffMethodFollowsPositionsThatDependOnTheActionToTightTolerances) {
  for (const Rule rule : {Rule::nonholonomic, Rule::vakonomic}) {
    Plane p;
    p.with(rule, {p.a * p.a + p.b * p.b - 1.0 - p.system.z / 10.0});
    const Simulator simulator(p.system);
    auto s = constrained_settings("reference", 5);
    s.project = true;
    s.tolerance = 1e-12;
    const InitialState start{{"a", 0.6}, {"b", 0.8}, {"u", 0.3}};
    const auto reference = simulator.run(start, s);
    s.method = "stiff";
    s.tolerance = 1e-11;
    const auto stiff = simulator.run(start, s);
    EXPECT_TRUE(stiff.facts.complete);
    EXPECT_LT(stiff.facts.largest_constraint_residual, 1e-12);
    for (const char* column : {"a", "b", "u", "v", "z"})
      EXPECT_NEAR(stiff[column].back(), reference[column].back(), 1e-8) << column;
  }
}

TEST(ConstrainedRun, StartOffTheConstraintIsRefusedWithItsDefect) {
  Plane p;
  const Simulator simulator(p.with(Rule::nonholonomic, {p.u - p.v, p.a + p.b}).system);
  EXPECT_THAT(failure_on_constraints(simulator, {{"u", 0.5}, {"v", -0.25}}, constrained_settings("reference", 1)),
              AllOf(HasSubstr("constraint 1 is 0.75"), HasSubstr("project = true")));
  EXPECT_THAT(failure_on_constraints(simulator, {{"a", 1e-3}}, constrained_settings("contact-gauss-2", 1)),
              HasSubstr("constraint 2 is 0.001"));
  EXPECT_THAT(failure_on_constraints(simulator, {{"u", 0.5}, {"v", 0.5}}, constrained_settings("reference", 1)),
              AllOf(HasSubstr("time derivative of constraint 2"), HasSubstr("is 1")));
}

// Masses 1 and 4: the nearest point of u = v in the metric W is (u + 4 v)/5.
TEST(ConstrainedRun, ProjectionIsMinimalInTheMetricAndIsReported) {
  for (const Rule rule : {Rule::nonholonomic, Rule::vakonomic}) {
    Plane p;
    auto s = constrained_settings("reference", 1);
    s.project = true;
    const auto run = Simulator(p.with(rule, {p.u - p.v}).system).run({{"u", 1.0}}, s);
    EXPECT_NEAR(run["u"].front(), 0.2, 1e-15);
    EXPECT_NEAR(run["v"].front(), 0.2, 1e-15);
    ASSERT_EQ(run.facts.notes.size(), 1U);
    EXPECT_THAT(run.facts.notes[0],
                AllOf(HasSubstr("constraint 1 is 1"), HasSubstr("u 1 -> 0.2"), HasSubstr("v 0 -> 0.2")));
  }
}

TEST(ConstrainedRun, ProjectionMovesPositionsToo) {
  Plane p;
  auto s = constrained_settings("contact-gauss-4", 3);
  s.project = true;
  const auto run = Simulator(p.with(Rule::nonholonomic, {p.a * p.a + p.b * p.b - 1.0}).system)
                       .run({{"a", 1.1}, {"b", -0.2}, {"v", 0.3}}, s);
  EXPECT_LT(run.facts.largest_constraint_residual, 1e-12);
  EXPECT_LT(run.facts.largest_energy_residual, 1e-8);
}

TEST(ConstrainedRun, ProjectionReachesCurvedConstraintsFromFar) {
  Plane p;
  auto s = constrained_settings("reference", 1);
  s.project = true;
  const Simulator simulator(p.with(Rule::nonholonomic, {p.u * p.u * p.u + p.v * p.v - 1.0 - sin(p.a)}).system, {},
                            {{"u", 1.0}});
  const auto run = simulator.run({{"u", 1.6}, {"v", 0.7}, {"a", 0.4}}, s);
  EXPECT_LT(std::abs(run["constraint.1"].front()), 1e-14);
}

TEST(ConstrainedRun, SingularConstraintMatrixSaysWhere) {
  Plane p;
  const Simulator simulator(p.with(Rule::nonholonomic, {p.u * p.a - p.v * p.b}).system);
  EXPECT_THAT(failure_on_constraints(simulator, {}, constrained_settings("reference", 1)),
              AllOf(HasSubstr("singular constraint matrix"), HasSubstr("rank 0 of 1"), HasSubstr("a = 0, b = 0")));
  EXPECT_THAT(failure_on_constraints(simulator, {}, constrained_settings("contact-gauss-2", 1)),
              HasSubstr("singular constraint matrix"));
}

TEST(ConstrainedRun, RedundantConstraintIsFoundAndReported) {
  for (const std::string method : {"reference", "contact-gauss-4"}) {
    Plane once;
    Plane twice;
    const auto alone = Simulator(once.with(Rule::nonholonomic, {once.u - once.a * once.v}).system);
    const auto both = Simulator(
        twice.with(Rule::nonholonomic, {twice.u - twice.a * twice.v, 3.0 * twice.u - 3.0 * twice.a * twice.v}).system);
    const InitialState initial{{"a", 0.5}, {"u", 0.5}, {"v", 1.0}};
    const auto one = alone.run(initial, constrained_settings(method, 1));
    const auto two = both.run(initial, constrained_settings(method, 1));
    EXPECT_EQ(one["b"], two["b"]);
    EXPECT_EQ(one["lambda1"], two["lambda1"]);
    EXPECT_EQ(two["lambda2"].back(), 0);
    EXPECT_LT(std::abs(two["constraint.2"].back()), 1e-12);
    ASSERT_EQ(two.facts.notes.size(), 1U);
    EXPECT_THAT(two.facts.notes[0], HasSubstr("constraint 2 follows from the others"));
  }
}

TEST(ConstrainedRun, ContradictionIsRefused) {
  Plane p;
  p.with(Rule::nonholonomic, {p.u - p.v, p.u - p.v - 1.0});
  try {
    Simulator{p.system};
    FAIL() << "u = v and u = v + 1 hold nowhere together";
  } catch (const std::invalid_argument& e) {
    EXPECT_THAT(e.what(), HasSubstr("constraint 2 contradicts"));
  }
}

TEST(ConstrainedRun, RunsBackwardsToItsStart) {
  for (const Rule rule : {Rule::nonholonomic, Rule::vakonomic}) {
    Plane p;
    const Simulator simulator(p.with(rule, {p.u - p.a * p.v + p.system.z / 3}).system);
    for (const std::string method : {"reference", "contact-gauss-6"}) {
      const auto there = simulator.run({{"a", 0.5}, {"u", 0.5}, {"v", 1.0}}, constrained_settings(method, 1));
      InitialState end{{"t", 1.0}};
      for (const std::string name : {"a", "b", "u", "v", "z"}) end[name] = there[name].back();
      if (rule == Rule::vakonomic) end["nu1"] = there["nu1"].back();
      const auto back = simulator.run(end, constrained_settings(method, 0));
      EXPECT_NEAR(back["a"].back(), 0.5, 1e-9) << method;
      EXPECT_NEAR(back["v"].back(), 1.0, 1e-9) << method;
    }
  }
}

}  // namespace
