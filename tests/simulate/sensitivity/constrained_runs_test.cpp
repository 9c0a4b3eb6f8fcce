// Derivatives of runs with nonholonomic and holonomic constraints, by variational equations through steps that end with
// a projection: against differences of the same runs, of which adaptive ones are as smooth as their tolerance.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "simulate/run_differences.hpp"
#include "simulate/sensitivity/constrained_models.hpp"

namespace {

using namespace herglotz;
using simulate::Simulator;
using testing::HasSubstr;

void expect_differences(const Model& model, const std::string& method, const std::vector<std::string>& wrt,
                        const simulate::InitialState& initial, const std::vector<std::string>& columns, double accuracy,
                        double share = 0.02) {
  const Simulator simulator(model.system);
  auto asked = request(7, method, wrt, initial, 1.5, 0.02);
  asked.settings.project = true;
  auto run = run_of(simulator, asked);
  const auto slopes = simulate::differentiate(simulator, asked, run);
  EXPECT_THAT(run.facts.notes, testing::Contains(HasSubstr("variational equations")));
  for (const auto& name : wrt)
    for (const auto& column : columns) {
      const auto expected =
          differences(simulator, asked, name, [&](const analyse::Trajectory& beside) { return beside[column]; }, share);
      const auto& found = values_of(slopes, "d." + column + ".d." + name);
      ASSERT_EQ(found.size(), expected.size());
      double size = 0;
      for (const double value : expected) size = std::max(size, std::abs(value));
      for (std::size_t row = 0; row < found.size(); ++row)
        EXPECT_NEAR(found[row], expected[row], accuracy * size) << method << " " << column << " by " << name;
    }
}

}  // namespace

class ConstrainedRuns : public testing::TestWithParam<std::string> {};

TEST_P(ConstrainedRuns, OnABladeHaveTheDerivativesOfTheirSteps) {
  expect_differences(blade(), GetParam(), {"inertia", "gamma", "phi", "vx"},
                     {{"phi", 0.3}, {"vx", 0.5}, {"vy", 0.0}, {"w", 1.1}},
                     {"x", "phi", "vy", "w", "z", "lambda1", "energy"}, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Methods, ConstrainedRuns,
                         testing::Values("runge-kutta-4", "runge-kutta-8", "reference", "taylor"), [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(ConstrainedRuns, OnAMovingWireHaveTheDerivativesOfAdaptiveSteps) {
  for (const char* method : {"reference", "taylor"})
    expect_differences(wire(), method, {"a", "b", "vx"}, {{"x", 0.5}, {"y", 0.1}, {"vx", 0.4}, {"vs", 0.3}},
                       {"x", "y", "s", "vy", "vs", "z", "lambda1", "lambda2", "energy"}, 1e-10);
}

// A start that obeys the constraints is moved along them by the derivative of the projection, without runs beside it.
TEST(ConstrainedRuns, FromStartsOnTheConstraintsHaveTheDerivativesOfTheirSteps) {
  const double vy = 0.5 * std::tan(0.3);
  for (const char* method : {"runge-kutta-8", "reference", "taylor"})
    expect_differences(blade(), method, {"inertia", "phi", "vx", "vy"},
                       {{"phi", 0.3}, {"vx", 0.5}, {"vy", vy}, {"w", 1.1}},
                       {"x", "phi", "vx", "vy", "w", "z", "lambda1", "energy"}, 1e-10);
  for (const char* method : {"reference", "taylor"})
    expect_differences(wire(), method, {"a", "b", "vx", "x"},
                       {{"x", 0.5}, {"y", 0.15}, {"vx", 0.4}, {"vy", 0.44}, {"vs", 0.2 + 0.44 / 3}},
                       {"x", "y", "s", "vy", "vs", "z", "lambda1", "lambda2", "energy"}, 1e-10, 0.002);
}

// An expression keeps the start on the constraint, which no projection is asked to do.
TEST(ConstrainedRuns, FollowExpressionsAlongTheConstraint) {
  const Model model = blade();
  const Simulator simulator(model.system);
  auto asked = request(5, "runge-kutta-8", {"phi", "vx"}, {{"phi", 0.3}, {"vx", 0.5}, {"vy", 0}, {"w", 1.1}}, 2, 0.02);
  asked.expressions = simulate::StartExpressions(model.system, {{"vy", model.read("vx*tan(phi)")}});
  simulate::InitialState parameters;
  simulate::InitialState next;
  const auto run_at = [&](const std::string& name, double value) {
    simulate::SensitivityRequest beside = asked;
    beside.initial[name] = value;
    beside.expressions.apply(model.system, parameters, beside.initial, next);
    return run_of(simulator, beside);
  };
  auto run = run_at("phi", 0.3);
  const auto slopes = simulate::differentiate(simulator, asked, run);
  for (const auto& [name, value] : {std::pair{"phi", 0.3}, std::pair{"vx", 0.5}})
    for (const char* column : {"y", "vy", "w"}) {
      double expected = 0;
      const std::array weights{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
      const double e = 2e-3;
      for (int k = 1; k <= 4; ++k)
        expected += weights.at(static_cast<std::size_t>(k - 1)) *
                    (run_at(name, value + k * e)[column].back() - run_at(name, value - k * e)[column].back()) / e;
      EXPECT_NEAR(values_of(slopes, std::string("d.") + column + ".d." + name).back(), expected, 1e-11)
          << column << name;
    }
}

// The steps are those of the run, however coarse: the projection moves them by far more than round-off.
TEST(ConstrainedRuns, HaveTheDerivativesOfCoarseSteps) {
  const Model model = wire();
  const Simulator simulator(model.system);
  auto asked =
      request(6, "reference", {"b"}, {{"x", 0.5}, {"y", 0.15}, {"vx", 0.4}, {"vy", 0.44}, {"vs", 0.3466}}, 3, 0);
  asked.settings.project = true;
  asked.settings.tolerance = 1e-4;
  auto run = run_of(simulator, asked);
  const auto coarse = values_of(simulate::differentiate(simulator, asked, run), "d.x.d.b");
  asked.settings.tolerance = 1e-12;
  run = run_of(simulator, asked);
  const auto fine = values_of(simulate::differentiate(simulator, asked, run), "d.x.d.b");
  EXPECT_NEAR(coarse.back(), fine.back(), 1e-3 * std::abs(fine.back()));
  EXPECT_NE(coarse.back(), fine.back());
}

// The constraint holds along every variation: d(vx sin(phi) - vy cos(phi)) = 0.
TEST(ConstrainedRuns, HaveVariationsAlongTheConstraint) {
  const Model model = blade();
  const Simulator simulator(model.system);
  auto asked = request(5, "reference", {"inertia"}, {{"phi", 0.3}, {"vx", 0.5}, {"w", 1.1}}, 2, 0);
  asked.settings.project = true;
  auto run = run_of(simulator, asked);
  const auto slopes = simulate::differentiate(simulator, asked, run);
  const auto slope = [&](const std::string& column, std::size_t row) {
    return values_of(slopes, "d." + column + ".d.inertia")[row];
  };
  for (std::size_t row = 1; row < run.rows(); ++row) {
    const double phi = run["phi"][row];
    EXPECT_GT(std::abs(slope("phi", row)), 1e-3);
    EXPECT_NEAR(slope("vx", row) * std::sin(phi) - slope("vy", row) * std::cos(phi) +
                    (run["vx"][row] * std::cos(phi) + run["vy"][row] * std::sin(phi)) * slope("phi", row),
                0, 1e-14);
  }
}

// A start that another value moves off the constraint has no derivative, unless it is projected.
TEST(ConstrainedRuns, SayWhichStartsHaveNoDerivative) {
  const Model model = blade();
  const Simulator simulator(model.system);
  auto asked = request(5, "reference", {"phi"}, {{"phi", 0.0}, {"vx", 0.5}, {"w", 1.1}}, 2, 0);
  EXPECT_THAT(refusal_of(simulator, asked), HasSubstr("the start has no derivative by phi: with another value of it, "
                                                      "constraint 1 is 0.0156225, not 0, at the start; give consistent "
                                                      "initial values, or set project = true in [initial]"));
}

// The momentum about the vertical does not feel gravity, so that differences of it are round-off.
TEST(ConstrainedRuns, HaveDerivativesBesideAMomentumThatDoesNotDependOnTheName) {
  Model model({"x", "y", "h"}, {"vx", "vy", "vh"}, {{"g", 9.81}}, "(vx^2 + vy^2 + vh^2)/2 - g*h - z/10");
  mechanics::constrain(model.system, mechanics::Rule::nonholonomic, {model.read("x^2 + y^2 + h^2 - 1")});
  model.system.observables.push_back({"turn", model.read("x*vy - y*vx")});
  const Simulator simulator(model.system);
  const auto asked = request(200, "contact-gauss-4", {"g"}, {{"x", 0.8}, {"h", -0.6}, {"vy", 1.2}}, 20, 0.01);
  auto run = run_of(simulator, asked);
  const auto slopes = simulate::differentiate(simulator, asked, run);
  EXPECT_NEAR(values_of(slopes, "d.turn.d.g").back(), 0, 1e-11);
  EXPECT_GT(std::abs(values_of(slopes, "d.x.d.g").back()), 0.01);
  EXPECT_THAT(run.facts.notes, testing::Contains(HasSubstr("d.turn.d.g")));
}

// Taylor polynomials of long steps reach far beyond their end, where differences by the size of a step first grow.
TEST(TaylorRuns, HaveTheDerivativesOfReferenceAcrossSwitches) {
  Model model({"x", "y", "phi"}, {"vx", "vy", "w"}, {}, "(vx^2 + vy^2 + 3*w^2/5)/2 + x/2 - z/10");
  mechanics::constrain(model.system, mechanics::Rule::nonholonomic, {model.read("vx*sin(phi) - vy*cos(phi)")});
  model.system.forces[2] = model.read("-(3 + 2*sign(x - 3/10))*2*w/25");
  const Simulator simulator(model.system);
  for (const double output_step : {0.2, 2.0 / 13, 0.4}) {
    std::vector<double> found;
    for (const char* method : {"reference", "taylor"}) {
      auto asked = request(10, method, {"phi"}, {{"phi", 0.3}, {"vx", 0.4}, {"w", 1.2}}, 2, 0);
      asked.settings.project = true;
      asked.settings.tolerance = 1e-13;
      asked.settings.output_step = output_step;
      auto run = run_of(simulator, asked);
      found.push_back(values_of(simulate::differentiate(simulator, asked, run), "d.w.d.phi").back());
    }
    EXPECT_NEAR(found[1], found[0], 1e-10 * std::abs(found[0])) << output_step;
  }
}
