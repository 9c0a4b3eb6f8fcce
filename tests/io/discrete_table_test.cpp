#include <gmock/gmock.h>

#include "discrete_models.hpp"
#include "exchange.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::io {
namespace {

using symbolic::Expr;

/// ell at (q0, q1, z0, z1, t0, h) and the parameters of the model.
double value_of(const simulate::Problem& problem, const std::vector<double>& point) {
  const auto& discrete = *problem.discrete;
  std::vector<Expr> symbols = discrete.q0;
  symbols.insert(symbols.end(), discrete.q1.begin(), discrete.q1.end());
  symbols.insert(symbols.end(), {discrete.z0, discrete.z1, discrete.t0, discrete.h});
  std::vector<double> values = point;
  for (const auto& parameter : problem.system.parameters) {
    symbols.push_back(parameter.symbol);
    values.push_back(parameter.value);
  }
  const std::vector<Expr> ell{discrete.ell};
  return symbolic::evaluate(ell, symbols, values).front();
}

TEST(DiscreteTable, HoldsADiscreteLagrangianOfTwoPositionsTheActionTheTimeAndTheStep) {
  const auto given = parse_model(kDiscrete);
  ASSERT_TRUE(given.discrete);
  EXPECT_EQ(given.discrete->rule, "given");
  EXPECT_NEAR(value_of(given, {1, 0, 1.5, 0.2, 3, 9, 9, 0.1}),
              (0.25 + 0.04) / 0.2 - 0.1 * 2 * 1 / 2.0 + 0.1 * -0.05 * 3, 1e-15);
  const auto all =
      parse_model(with_discrete(R"(lagrangian = "x0 + 2*x1 + 3*q0 + 4*q1 + 5*z0 + 6*z1 + 7*t0 + 8*h + loss")"));
  EXPECT_NEAR(value_of(all, {1, 10, 100, 1000, 2, 3, 5, 7}), 1 + 200 + 30 + 4000 + 10 + 18 + 35 + 56 - 0.1, 1e-12);
}

TEST(DiscreteTable, NamesItsVariablesAfterTheCoordinatesTheActionAndTheTime) {
  std::string text = with_discrete(R"(lagrangian = "(x1 - x0)^2/h + q1*q0 + S0 - S1 + tau0")");
  const std::size_t at = text.find("gamma*z\"");
  text.replace(at, 8, "gamma*S\"\naction = \"S\"\ntime = \"tau\"");
  const auto problem = parse_model(text);
  EXPECT_EQ(problem.discrete->z1.name(), "S1");
  EXPECT_EQ(problem.discrete->t0.name(), "tau0");
}

TEST(DiscreteTable, IsMadeByARuleFromTheLagrangian) {
  const std::vector<double> point{1, 0.5, 1.2, 0.7, 3, 3.1, 0, 0.1};
  const double kinetic = 0.1 * (4 + 4) / 2;
  const auto at = [&](const std::string& lines) { return value_of(parse_model(with_discrete(lines)), point); };
  const auto left = [](double potential, double z) { return -0.1 * potential - 0.1 * 0.05 * z; };
  EXPECT_NEAR(at("rule = \"left\"\naction_rule = \"left\""), kinetic + left(1, 3), 1e-14);
  EXPECT_NEAR(at("rule = \"midpoint\"\naction_rule = \"left\""), kinetic + left(1.21, 3), 1e-14);
  EXPECT_NEAR(at("rule = \"trapezoid\"\naction_rule = \"left\""), kinetic + left((1 + 1.44) / 2, 3), 1e-14);
  EXPECT_NEAR(at("rule = \"midpoint\""), kinetic + left(1.21, 3.05), 1e-14);
  EXPECT_NEAR(at("rule = \"midpoint\"\naction_rule = \"implicit\""), kinetic + left(1.21, 3.05), 1e-14);
}

TEST(DiscreteTable, IsEitherALagrangianOrARule) {
  EXPECT_EQ(error_without_file(with_discrete("")),
            "20:1: [discrete] has neither 'lagrangian' nor 'rule'; give a discrete Lagrangian, or the rule that makes "
            "one: left, midpoint, trapezoid, galerkin or exact");
  EXPECT_EQ(error_without_file(with_discrete("rule = \"left\"\nlagrangian = \"x1*x0\"")),
            "21:1: both 'lagrangian' and 'rule' are given; keep the discrete Lagrangian itself, or the rule that makes "
            "one");
  EXPECT_EQ(error_without_file(with_discrete("lagrangian = \"x1*x0\"\naction_rule = \"left\"")),
            "22:1: both 'lagrangian' and 'action_rule' are given; keep the discrete Lagrangian itself, or the rule "
            "that makes one");
}

/// rule = "galerkin" with these lines, started from velocities.
std::string with_galerkin(const std::string& lines) {
  std::string text = with_discrete("rule = \"galerkin\"\n" + lines);
  const std::size_t next = text.find("[initial.next]");
  return text.erase(next, text.find("[simulation]") - next);
}

TEST(DiscreteTable, HoldsADegreeAndAQuadratureOfPolynomialMotions) {
  const auto given = parse_model(with_galerkin("degree = 2\nquadrature = \"lobatto-3\""));
  EXPECT_FALSE(given.discrete);
  ASSERT_TRUE(given.settings.galerkin);
  EXPECT_EQ(given.settings.galerkin->degree, 2u);
  EXPECT_THAT(given.settings.galerkin->c, ::testing::ElementsAre(0.0, 0.5, 1.0));
  const auto usual = parse_model(with_galerkin("degree = 1"));
  ASSERT_TRUE(usual.settings.galerkin);
  EXPECT_NEAR(usual.settings.galerkin->c.front(), 0.5 - std::sqrt(3.0) / 6, 1e-16) << "Gauss with one node more";
  EXPECT_FALSE(parse_model(with_discrete("rule = \"midpoint\"")).settings.galerkin);
}

TEST(DiscreteTable, RefusesDegreesAndQuadraturesThatDoNotFit) {
  const auto of = [](const std::string& lines) { return error_without_file(with_galerkin(lines)); };
  EXPECT_EQ(of(""), "20:1: rule = \"galerkin\" needs the degree of its polynomials; add degree = 2");
  EXPECT_EQ(of("degree = 0"), "22:10: a degree of 0 is out of range; choose 1 to 15");
  EXPECT_EQ(of("degree = 16"), "22:10: a degree of 16 is out of range; choose 1 to 15");
  EXPECT_EQ(
      of("degree = 3\nquadrature = \"gauss-2\""),
      "23:14: quadrature gauss-2 has 2 nodes, too few to determine polynomials of degree 3; choose at least 3 nodes");
  EXPECT_EQ(of("degree = 3\nquadrature = \"simpson\""),
            "23:14: unknown quadrature 'simpson'; choose gauss-1 to gauss-16 or lobatto-2 to lobatto-16");
  EXPECT_EQ(of("degree = 3\naction_rule = \"left\""),
            "23:1: 'action_rule' has no place in rule = \"galerkin\", whose quadrature follows the action; remove it");
  EXPECT_EQ(error_without_file(with_discrete("rule = \"left\"\ndegree = 3")),
            "22:1: 'degree' belongs to rule = \"galerkin\", and the rule is 'left'; remove it, or choose that rule");
}

TEST(DiscreteTable, NamesUnknownKeysAndWrongTypes) {
  EXPECT_EQ(error_without_file(with_discrete("lagrangean = \"x1*x0\"")),
            "21:1: unknown key 'lagrangean'; did you mean lagrangian?");
  EXPECT_EQ(error_without_file(with_discrete("step = 0.1\nrule = \"left\"")),
            "21:1: unknown key 'step'; known are lagrangian, forces, rule, action_rule, degree, quadrature");
  EXPECT_EQ(error_without_file(with_discrete("lagrangian = [\"x1*x0\"]")),
            "21:14: expected an expression, got an array; the discrete Lagrangian is a number or an expression in "
            "quotes");
  EXPECT_EQ(error_without_file(with_discrete("rule = 1")),
            "21:8: expected a string, got a number; write 'rule' as text in double quotes");
  EXPECT_EQ(error_without_file(with_discrete("rule = \"midpint\"")),
            "21:8: unknown rule 'midpint'; did you mean midpoint?");
  EXPECT_EQ(error_without_file(with_discrete("rule = \"left\"\naction_rule = \"right\"")),
            "22:15: unknown action rule 'right'; known are left, implicit");
  EXPECT_EQ(
      error_without_file("[model]\n[[discrete]]\n" + std::string(kBody)),
      "2:1: expected a table, got an array; write [discrete] as [name] with entries below, or as { key = value }");
}

TEST(DiscreteTable, TakesOnlyWhatADiscreteLagrangianIsAFunctionOf) {
  const std::string remedy =
      "use positions x0, q0 and x1, q1, the action z0 (and z1), the time t0, the step h, parameters and definitions of "
      "these";
  const auto with = [](const std::string& term) { return with_discrete("lagrangian = \"x1*x0 + " + term + "\""); };
  EXPECT_EQ(error_without_file(with("x")),
            "21:23: the discrete Lagrangian may not depend on the base coordinate 'x'; " + remedy);
  EXPECT_EQ(error_without_file(with("vx")),
            "21:23: the discrete Lagrangian may not depend on the fibre coordinate 'vx'; " + remedy);
  EXPECT_EQ(error_without_file(with("z")),
            "21:23: the discrete Lagrangian may not depend on the action variable 'z'; " + remedy);
  EXPECT_EQ(error_without_file(with("t")),
            "21:23: the discrete Lagrangian may not depend on the time variable 't'; " + remedy);
  EXPECT_EQ(error_without_file(with("p_vx")),
            "21:23: the discrete Lagrangian may not depend on the momentum 'p_vx'; " + remedy);
  EXPECT_EQ(error_without_file(with("spring")),
            "21:23: the discrete Lagrangian may not depend on the definition 'spring'; " + remedy);
  EXPECT_EQ(error_without_file(with("gama*h")), "21:23: unknown name 'gama'; did you mean gamma?");
  EXPECT_EQ(
      error_without_file(with_discrete("lagrangian = \"x0^2/h + z0\"")),
      "21:14: the discrete Lagrangian does not depend on x1, q1; it is a function of two positions x0, q0 and x1, "
      "q1");
  EXPECT_EQ(
      error_without_file(with_discrete("lagrangian = \"q1\"")),
      "21:14: the discrete Lagrangian does not depend on x0, q0; it is a function of two positions x0, q0 and x1, "
      "q1");
}

TEST(DiscreteTable, NamesBothOwnersOfANameThatClashes) {
  expect_errors(
      kDiscrete,
      {{"k = 2", "k = 2\nh = 1",
        "12:1: 'h' is both a parameter and the step of [discrete]; give the parameter another name"},
       {"k = 2", "k = 2\nx1 = 1",
        "12:1: 'x1' is both a parameter and the second position of 'x' of [discrete]; give the parameter "
        "another name"},
       {"loss =", "t0 =",
        "15:1: 't0' is both a definition and the first time of [discrete]; give the definition another name"},
       {"gamma*z\"", "gamma*z\"\ntime = \"h\"",
        "19:8: 'h' is both a time variable and the step of [discrete]; give the time variable another name"}});
  std::string text = with_discrete("rule = \"midpoint\"");
  const std::size_t at = text.find("k = 2");
  EXPECT_EQ(error_without_file(text.replace(at, 5, "k = 2\nq0 = 1")),
            "12:1: 'q0' is both a parameter and the first position of 'q' of [discrete]; give the parameter another "
            "name");
}

TEST(DiscreteTable, NeedsAGroupoid) {
  EXPECT_EQ(
      error_without_file(R"([algebroid]
kind = "custom"
base = ["x"]
fibre = ["a", "b", "c"]
anchor = [["1"], ["0"], ["0"]]
brackets = { "a,b" = { b = "x*x + 1" }, "a,c" = { c = "x + 2" } }
[dynamics]
lagrangian = "a^2 + b^2 + c^2"
[discrete]
lagrangian = "1"
)"),
      "9:1: a discrete Lagrangian is a function on a groupoid, and none is known for this custom algebroid; a Lie "
      "algebroid with constant structure functions, or with an injective anchor, is needed");
}

TEST(DiscreteTable, IsAFunctionOfArrowsOnAGroup) {
  EXPECT_EQ(error_without_file(std::string(kBody) + "\n[discrete]\nlagrangian = \"1\"\n"),
            "11:14: the discrete Lagrangian does not depend on eta_w1, eta_w2, eta_w3; it is a function of arrows, e "
            "to the power eta_w1, eta_w2, eta_w3");
  EXPECT_EQ(
      error_without_file(std::string(kBody) + "\n[discrete]\nlagrangian = \"(eta_w1^2 + eta_w2^2 + eta_w3^2)/h\"\n"),
      "no error");
}

TEST(DiscreteTable, ForcesOfTheSystemNeedDiscreteForcesBesideAGivenLagrangian) {
  const auto forced = [](const std::string& discrete) {
    std::string text = with_discrete(discrete);
    return text.insert(text.find("[discrete]"), "forces = { vx = \"-vx\" }\n\n");
  };
  const std::string given = "lagrangian = \"((x1 - x0)^2 + (q1 - q0)^2)/(2*h)\"\n";
  EXPECT_EQ(error_without_file(forced("rule = \"midpoint\"")), "no error");
  EXPECT_EQ(
      error_without_file(forced(given)),
      "22:1: the force on vx is not in the discrete Lagrangian; add forces = { minus = { vx = \"...\" }, plus = { "
      "vx = \"...\" } } to [discrete], or choose rule = \"midpoint\"");
  const std::string forces = "forces = { minus = { vx = \"-(x1 - x0)/2\" }, plus = { vx = \"-(x1 - x0)/2\" } }\n";
  EXPECT_EQ(error_without_file(forced(given + forces)), "no error");
  EXPECT_EQ(error_without_file(with_discrete(given + forces)),
            "20:1: the discrete Lagrangian has forces, whose work is in no balance law without forces in [dynamics]; "
            "add forces = { ... } to [dynamics], or remove those of [discrete]");
  EXPECT_EQ(
      error_without_file(forced("rule = \"left\"\n" + forces)),
      "24:1: a rule makes discrete forces of those of [dynamics], and 'forces' gives others; remove it, or give the "
      "discrete Lagrangian itself: lagrangian = \"...\"");
  EXPECT_EQ(error_without_file(forced(given + "forces = { start = { vx = \"h\" } }\n")),
            "24:12: unknown key 'start'; known are minus, plus");
  EXPECT_EQ(error_without_file(forced(given + "forces = { minus = { x = \"h\" } }\n")),
            "24:22: unknown fibre coordinate 'x'; known are vx, vq");
  EXPECT_EQ(error_without_file(forced(given + "forces = { minus = \"h\" }\n")),
            "24:20: expected a table, got a string; write 'minus' as [name] with entries below, or as { key = value }");
}

TEST(DiscreteTable, RefusesByRuleWhatHasNoDiscreteLagrangian) {
  std::string constrained = with_discrete("rule = \"midpoint\"");
  constrained.insert(constrained.find("[discrete]"), "[constraints]\nrule = \"nonholonomic\"\nequations = [\"vx\"]\n");
  EXPECT_EQ(error_without_file(constrained),
            "23:1: constraints have no place in a discrete Lagrangian; remove [discrete]");
  EXPECT_EQ(error_without_file(std::string(kHamilton) + "\n[discrete]\nrule = \"left\"\n"),
            "13:1: a rule makes a discrete Lagrangian of a Lagrangian, and the model has a Hamiltonian; give the "
            "discrete Lagrangian itself: lagrangian = \"...\"");
  EXPECT_EQ(error_without_file(std::string(kHamilton) + "\n[discrete]\nlagrangian = \"(x1 - x0)^2/h\"\n"), "no error");
}

}  // namespace
}  // namespace herglotz::io
