// What a solution proves: conditions at its ends, of second order, and the meaning of its costates.

#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"
#include "residual.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;

/// A regulator with a cost of fourth order, from x(0) in the time T.
solve::Solution regulated(double start, double duration) {
  std::string text = regulator;
  text.replace(text.find("(Q*x^2"), 6, "(Q*x^2 + x^4");
  auto problem = io::parse_problem(text);
  problem.boundary.initial.at("x") = problem.system.graph().number(start);
  problem.boundary.duration = problem.system.graph().number(duration);
  problem.settings.tolerance = 1e-11;
  return solve::solve(problem);
}

/// A fourth-order central difference of f at x.
template <class Function>
double rate(Function f, double x, double h) {
  return (f(x - 2 * h) - 8 * f(x - h) + 8 * f(x + h) - f(x + 2 * h)) / (12 * h);
}

}  // namespace

TEST(Certificate, HoldsForTheRegulator) {
  const auto solution = solve::solve(io::parse_problem(regulator));
  EXPECT_LT(residual(solution, "transversality"), 1e-11);
  // H_uu = -r, and the end is free: p = -s x there.
  EXPECT_NEAR(residual(solution, "legendre_margin"), 0.5, 1e-9);
  EXPECT_EQ(residual(solution, "negative_directions"), 0);
  EXPECT_NEAR(solution.trajectory["p_v"].back(), -0.8 * solution.trajectory["x"].back(), 1e-11);
}

TEST(Certificate, MeasuresTheMarginByControlsWhereTheyEnterForces) {
  // The running cost is (f^2 + tau^2)/2, whatever the mass and the constraint.
  EXPECT_NEAR(residual(solve::solve(io::parse_problem(sleigh)), "legendre_margin"), 1, 1e-9);
}

TEST(Certificate, SaysWhereTheConditionsDependOnEachOther) {
  // The velocities at the end are given, and the constraint relates them.
  const auto solution = solve::solve(io::parse_problem(sleigh));
  EXPECT_TRUE(std::isnan(residual(solution, "negative_directions")));
  bool said = false;
  for (const auto& note : solution.notes) said = said || note.find("was not decided") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(Certificate, CostatesArePricesOfTheStart) {
  // [GG08, Eqs. 5.6-5.8; LLM22]: dJ/dx(0) = -R(0) p(0).
  const auto solution = regulated(1, 1.5);
  const double price = rate([](double x) { return regulated(x, 1.5).cost; }, 1, 0.02);
  EXPECT_NEAR(price, -solution.trajectory["R"].front() * solution.trajectory["p_v"].front(), 1e-8);
}

TEST(Certificate, TheHamiltonianIsThePriceOfTime) {
  // dJ/dT = -R(T) H(T).
  const auto solution = regulated(1, 1.5);
  const double price = rate([](double duration) { return regulated(1, duration).cost; }, 1.5, 0.02);
  EXPECT_NEAR(price, -solution.trajectory["R"].back() * solution.trajectory["hamiltonian"].back(), 1e-8);
}
