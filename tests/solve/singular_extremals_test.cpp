// Singular arcs by the constraint algorithm, against arcs that are known.

#include "herglotz/control/singular_extremals.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "problems.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;
using Counts = std::vector<std::size_t>;

mechanics::SingularAnalysis analysis_of(const control::Problem& problem) {
  const auto found = control::singular_extremals(problem);
  EXPECT_TRUE(found.has_value());
  return found.value_or(mechanics::SingularAnalysis{});
}

Counts constraints_by_level(const mechanics::SingularAnalysis& analysis) {
  Counts counts(analysis.levels());
  for (const auto& constraint : analysis.constraints) ++counts[constraint.level - 1];
  return counts;
}

/// Expects that all constraints vanish where variables have these values.
void expect_on_set(const control::Problem& problem, const mechanics::SingularAnalysis& analysis,
                   const std::map<std::string, double>& values) {
  std::vector<symbolic::Expr> symbols;
  std::vector<double> at;
  for (const auto& [name, value] : values) {
    symbols.push_back(problem.system.graph().symbol(name));
    at.push_back(value);
  }
  for (const auto& parameter : problem.system.parameters) {
    symbols.push_back(parameter.symbol);
    at.push_back(parameter.value);
  }
  for (const auto& constraint : analysis.constraints)
    EXPECT_NEAR(symbolic::evaluate(constraint.expression, symbols, at), 0, 1e-13) << constraint.level;
}

/// x is driven by u, with this running cost.
std::string driven(const std::string& running) {
  return "[model]\nname = \"driven\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"x\"]\nfibre = [\"v\"]\n[parameters]\n"
         "g = -0.3\n[control]\ncontrols = [\"u\"]\nkinematics = { v = \"u\" }\n[cost]\nrunning = \"" +
         running + "\"\n[boundary]\nduration = 2\n[initial]\nx = 1\n";
}

/// A mass on a line, with this running cost and more of [control].
std::string mass_on_line(const std::string& running, const std::string& more = "") {
  return "[model]\nname = \"mass\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\"]\nfibre = [\"vx\", \"vy\"]\n"
         "[control]\ncontrols = [\"u\"]\nkinematics = { vx = \"y\", vy = \"u\" }\n" +
         more + "[cost]\nrunning = \"" + running + "\"\n[boundary]\nduration = 2\n[initial]\nx = 1\n";
}

}  // namespace

TEST(SingularExtremals, AreNoneOfARegularProblem) {
  EXPECT_FALSE(control::singular_extremals(io::parse_problem(regulator)));
  EXPECT_FALSE(control::singular_extremals(io::parse_problem(sleigh)));
  EXPECT_FALSE(control::singular_extremals(io::parse_problem(heisenberg)));
}

// On the arc p = 0, x + zeta/5 = 0 and u + zeta'/5 = 0: the action of the cost moves the turnpike.
TEST(SingularExtremals, AreMovedByTheActionOfTheCost) {
  const auto problem = io::parse_problem(driven("x^2/2 + g*zeta + zeta*x/5"));
  const auto analysis = analysis_of(problem);
  EXPECT_EQ(constraints_by_level(analysis), (Counts{1, 1, 1}));
  EXPECT_EQ(analysis.dim_total(), 4U);
  EXPECT_EQ(analysis.dim_final, 1U);
  EXPECT_TRUE(analysis.undetermined.empty());
  const double x = 0.7;
  const double zeta = -5 * x;
  expect_on_set(problem, analysis,
                {{"x", x}, {"zeta", zeta}, {"p_v", 0}, {"u", -(x * x / 2 - 0.3 * zeta + zeta * x / 5) / 5}});
}

// Fuller's problem [Ful63]: u is determined on the fifth level, an arc of order 2, along which nothing moves.
TEST(SingularExtremals, OfFullersProblemHaveOrderTwo) {
  const auto problem = io::parse_problem(mass_on_line("x^2/2", "bounds = { u = [-1, 1] }\n"));
  const auto analysis = analysis_of(problem);
  EXPECT_EQ(constraints_by_level(analysis), (Counts{1, 1, 1, 1, 1}));
  EXPECT_EQ(analysis.dim_total(), 6U);
  EXPECT_EQ(analysis.dim_final, 1U);
  expect_on_set(problem, analysis, {{"x", 0}, {"y", 0}, {"u", 0}, {"p_vx", 0}, {"p_vy", 0}, {"zeta", 3}});
}

// Without a cost along the path both costates vanish, and the control is arbitrary.
TEST(SingularExtremals, OfLeastTimeLeaveTheControlArbitrary) {
  const auto problem = io::parse_problem(mass_on_line("1", "bounds = { u = [-1, 1] }\n"));
  const auto analysis = analysis_of(problem);
  EXPECT_EQ(constraints_by_level(analysis), (Counts{1, 1}));
  EXPECT_EQ(analysis.dim_final, 4U);
  ASSERT_EQ(analysis.undetermined.size(), 1U);
  EXPECT_EQ(analysis.undetermined.front().name(), "u");
}

// In mechanics accelerations are eliminated, and the costate of an action on which nothing depends is 0.
TEST(SingularExtremals, OfMechanicsHaveStatesOfSecondOrder) {
  const auto problem = io::parse_problem(least_time);
  const auto analysis = analysis_of(problem);
  EXPECT_EQ(constraints_by_level(analysis), (Counts{2, 1}));
  EXPECT_EQ(analysis.dim_total(), 8U);
  EXPECT_EQ(analysis.dim_final, 5U);
  ASSERT_EQ(analysis.undetermined.size(), 1U);
}

// H_u = p - 2 and dp/dt = 1: the second level is a contradiction, and there are no singular arcs.
TEST(SingularExtremals, MayBeContradictory) {
  const auto problem = io::parse_problem(driven("x + 2*u"));
  const auto analysis = analysis_of(problem);
  ASSERT_TRUE(analysis.contradiction.has_value());
  EXPECT_EQ(analysis.contradiction->level, 2U);
}

// Neither control alone is linear in H, but u1 - u2 does not enter it.
TEST(SingularExtremals, AreFoundAmongControlsThatAreNotLinear) {
  const auto problem = io::parse_problem(
      with(with(driven("(u + w)^2/2 + x^2/2"), "[\"u\"]", "[\"u\", \"w\"]"), "v = \"u\"", "v = \"u + w\""));
  const auto analysis = analysis_of(problem);
  EXPECT_EQ(constraints_by_level(analysis), Counts{1});
  EXPECT_EQ(analysis.undetermined.size(), 1U);
}
