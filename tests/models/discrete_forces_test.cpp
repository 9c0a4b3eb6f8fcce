// Discrete forces: order of the rules, the factor of Herglotz' principle, and the work in the balance laws.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "herglotz/analyse/order.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "largest_difference.hpp"

namespace herglotz {
namespace {

/// Nonlinear in everything and time-dependent, with forces that depend on all of it.
std::string forced(const std::string& discrete) {
  return R"([model]
name = "forced"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]
[dynamics]
lagrangian = "(1 + z^2/10)*(vx^2 + vy^2)/2 + vx*vy*cos(y)/4 - (x^2 + y^2)^2/8 - x*sin(t)/3 - z/5 - z^2/20"
forces = { vx = "-vx*(1 + x^2)/4 + z/10 + y*vy/5", vy = "cos(t) - x/3 - vy^3/10" }
[initial]
x = 0.6
y = 0.2
vx = 0.3
vy = 0.7
z = 0.4
[discrete]
)" + discrete;
}

/// The damped oscillator with a force, whose Lagrangian and forces are given for a step by the midpoint rule.
std::string pushed_oscillator(const std::string& force) {
  return R"([model]
name = "pushed"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
gamma = 0.4
[dynamics]
lagrangian = "v^2/2 - q^2/2 - gamma*z"
forces = { v = "1 - q/5" }
[initial]
q = 1
v = 0.5
z = 0.3
[discrete]
lagrangian = "(q1 - q0)^2/(2*h) - h*(q0 + q1)^2/8 - h*gamma*(z0 + z1)/2"
forces = { minus = { v = ")" +
         force + R"(" }, plus = { v = ")" + force + R"(" } }
)";
}

analyse::Trajectory run(const simulate::Problem& problem, const std::string& method, double step, double t_end = 1) {
  simulate::Settings settings;
  settings.galerkin = problem.settings.galerkin;
  settings.method = method;
  settings.t_end = t_end;
  if (method == "reference")
    settings.tolerance = 1e-13;
  else
    settings.step = step;
  return simulate::Simulator(problem.system, {}, {}, problem.discrete).run(problem.initial, settings);
}

std::vector<double> end_of(const analyse::Trajectory& trajectory, const mechanics::System& system) {
  std::vector<double> state;
  for (const auto& x : system.algebroid.x) state.push_back(trajectory[x.name()].back());
  for (const auto& y : system.algebroid.y) state.push_back(trajectory[y.name()].back());
  state.push_back(trajectory[system.z.name()].back());
  return state;
}

double order_of(const simulate::Problem& problem, const std::string& method) {
  const auto exact = end_of(run(problem, "reference", 0), problem.system);
  std::vector<double> steps;
  std::vector<double> errors;
  for (const double count : {16., 24., 32., 48., 64.}) {
    steps.push_back(1 / count);
    errors.push_back(test::largest_difference(end_of(run(problem, method, 1 / count), problem.system), exact));
  }
  return analyse::fit_order(steps, errors).order;
}

TEST(DiscreteForces, OfARuleKeepItsOrder) {
  for (const auto& [position, action, order] : {std::tuple{"left", "left", 1},
                                                {"left", "implicit", 1},
                                                {"midpoint", "left", 1},
                                                {"trapezoid", "left", 1},
                                                {"midpoint", "implicit", 2},
                                                {"trapezoid", "implicit", 2}}) {
    const auto problem = io::parse_model(
        forced("rule = \"" + std::string(position) + "\"\naction_rule = \"" + std::string(action) + "\"\n"));
    EXPECT_NEAR(order_of(problem, "discrete-herglotz"), order, 0.2) << position << ", " << action;
  }
}

TEST(DiscreteForces, OfPolynomialsKeepTheirOrder) {
  for (const auto& [degree, quadrature, order] :
       {std::tuple{1, "gauss-1", 2}, {1, "lobatto-2", 2}, {2, "gauss-2", 4}, {2, "lobatto-3", 4}}) {
    const auto problem = io::parse_model(
        forced("rule = \"galerkin\"\ndegree = " + std::to_string(degree) + "\nquadrature = \"" + quadrature + "\"\n"));
    EXPECT_NEAR(order_of(problem, "discrete-galerkin"), order, 0.2) << degree << ", " << quadrature;
  }
}

// Straight lines with one Gauss or two Lobatto nodes are the midpoint and the trapezoid rule, forces included; the one
// eliminates the values inside a step numerically, the other is a formula.
TEST(DiscreteForces, OfRulesAreThoseOfStraightPolynomials) {
  for (const auto& [rule, quadrature] : {std::pair{"midpoint", "gauss-1"}, {"trapezoid", "lobatto-2"}}) {
    const auto by_rule = io::parse_model(forced("rule = \"" + std::string(rule) + "\"\n"));
    const auto straight =
        io::parse_model(forced("rule = \"galerkin\"\ndegree = 1\nquadrature = \"" + std::string(quadrature) + "\"\n"));
    EXPECT_LT(test::largest_difference(end_of(run(by_rule, "discrete-herglotz", 0.05), by_rule.system),
                                       end_of(run(straight, "discrete-galerkin", 0.05), straight.system)),
              1e-12)
        << rule;
  }
}

// The virtual work enters where L_d does, so that f_d = (h/2) F/(1 - h L_z/2). Forces without that factor lose an
// order.
TEST(DiscreteForces, CarryTheFactorOfTheLagrangian) {
  const std::string force = "h/2*(1 - (q0 + q1)/10)";
  const auto given = io::parse_model(pushed_oscillator(force));
  EXPECT_NEAR(order_of(given, "discrete-herglotz"), 2, 0.2);
  const auto without = io::parse_model(pushed_oscillator(force + "*(1 + gamma*h/2)"));
  EXPECT_NEAR(order_of(without, "discrete-herglotz"), 1, 0.2);
  auto by_rule = given;
  by_rule.discrete =
      discrete::discretise(given.system, discrete::PositionRule::midpoint, discrete::ActionRule::implicit);
  EXPECT_LT(test::largest_difference(end_of(run(given, "discrete-herglotz", 0.1), given.system),
                                     end_of(run(by_rule, "discrete-herglotz", 0.1), given.system)),
            1e-13);
}

// The work of the forces is a term of the energy law: without it the residual would not fall with the step.
TEST(DiscreteForces, DoTheirWorkInTheBalanceLaws) {
  const auto problem = io::parse_model(forced("rule = \"midpoint\"\n"));
  std::vector<double> steps;
  std::vector<double> residuals;
  for (const double step : {0.1, 0.05, 0.025, 0.0125}) {
    double largest = 0;
    for (const double residual : run(problem, "discrete-herglotz", step, 2)["energy_residual"])
      largest = std::max(largest, std::abs(residual));
    steps.push_back(step);
    residuals.push_back(largest);
  }
  EXPECT_NEAR(analyse::fit_order(steps, residuals).order, 2, 0.2);
  EXPECT_LT(residuals.back(), 1e-3);
  auto missing = problem;
  for (auto& force : missing.system.forces) force = missing.system.graph().number(0);
  EXPECT_THROW(static_cast<void>(run(missing, "discrete-herglotz", 0.1)), std::invalid_argument);
}

TEST(DiscreteForces, StartFromTwoPositionsLikeTheirMotion) {
  auto problem = io::parse_model(forced("rule = \"trapezoid\"\n"));
  const auto from_velocity = run(problem, "discrete-herglotz", 0.1);
  simulate::Settings settings;
  settings.method = "discrete-herglotz";
  settings.step = 0.1;
  settings.t_end = 1;
  auto initial = problem.initial;
  initial.erase("vx");
  initial.erase("vy");
  const auto from_positions =
      simulate::Simulator(problem.system, {}, {}, problem.discrete)
          .run(initial, settings, {}, {}, {{"x", from_velocity["x"][1]}, {"y", from_velocity["y"][1]}});
  EXPECT_LT(test::largest_difference(end_of(from_positions, problem.system), end_of(from_velocity, problem.system)),
            1e-11);
}

TEST(DiscreteForces, OfTheSystemAreNeverLeftOut) {
  auto problem = io::parse_model(pushed_oscillator("h/2*(1 - (q0 + q1)/10)"));
  problem.discrete->minus[0] = problem.discrete->plus[0] = problem.system.graph().number(0);
  try {
    static_cast<void>(run(problem, "discrete-herglotz", 0.1));
    FAIL() << "the force was dropped";
  } catch (const std::invalid_argument& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("the force on v is not in the discrete Lagrangian; add forces = "));
  }
}

}  // namespace
}  // namespace herglotz
