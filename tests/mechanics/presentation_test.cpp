#include "herglotz/mechanics/presentation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "herglotz/symbolic/simplify.hpp"
#include "samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using samples::read;
using symbolic::Expr;
using symbolic::Format;
using testing::HasSubstr;
using testing::Not;

System pendulum() {
  auto g = std::make_shared<symbolic::Graph>();
  System s = make_system(geometry::tangent(g, {{g->symbol("theta")}, {g->symbol("omega")}}));
  s.title = "Damped pendulum";
  for (const char* name : {"m", "l", "gravity", "gamma"}) s.parameters.push_back({g->symbol(name), 1});
  std::vector<Expr> names{g->symbol("theta"), g->symbol("omega"), s.z, s.t};
  for (const auto& parameter : s.parameters) names.push_back(parameter.symbol);
  s.generator = read(*g, "m*l^2*omega^2/2 + m*gravity*l*cos(theta) - gamma*z", names);
  s.symmetries.push_back({"turn", {g->number(std::int64_t{1})}});
  return s;
}

std::string printed(const System& s, Format format) {
  return render(equations_of_motion(s, derive(s)), format);
}

TEST(Presentation, PendulumReadsLikeATextbook) {
  const auto text = printed(pendulum(), Format::text);
  EXPECT_THAT(text, HasSubstr("Damped pendulum\n"));
  EXPECT_THAT(text, HasSubstr("  d(theta)/dt = omega\n"));
  EXPECT_THAT(text, HasSubstr("  p_omega = m*l^2*omega\n"));
  EXPECT_THAT(text, HasSubstr("d(omega)/dt = -gamma*omega - "));
  EXPECT_THAT(text, HasSubstr("  energy = m*l^2*omega^2/2 - m*gravity*l*cos(theta) + gamma*z\n"));
  EXPECT_THAT(text, Not(HasSubstr("d2(theta)/dt2")));
  EXPECT_THAT(text, HasSubstr("  dL/dz = -gamma\n"));
  EXPECT_THAT(text, HasSubstr("  d(energy)/dt = -gamma*energy\n"));
  EXPECT_THAT(text, HasSubstr("  d(J(turn))/dt = "));
}

TEST(Presentation, LagrangianThatIsRegularNowhereShowsItsUnsolvedRow) {
  System s = pendulum();
  s.generator = 3.0 * s.algebroid.y[0] - s.z;
  EXPECT_THAT(printed(s, Format::text), HasSubstr("Equations of motion\n-------------------\n  0 = -p_omega\n"));
}

TEST(Presentation, LatexIsOneAlignedEnvironment) {
  const auto latex = printed(pendulum(), Format::latex);
  EXPECT_EQ(latex.rfind("\\begin{align*}\n", 0), 0U);
  EXPECT_THAT(latex, HasSubstr("\\dot{\\theta} &= \\omega"));
  EXPECT_THAT(latex, HasSubstr("\\ddot{\\theta} &= -\\gamma \\dot{\\theta} - "));
  EXPECT_THAT(latex, Not(HasSubstr("\\dot{\\omega}")));
  EXPECT_THAT(latex, HasSubstr("\\dot{E} &= "));
  EXPECT_THAT(latex, Not(HasSubstr("d(")));
  EXPECT_EQ(latex.substr(latex.size() - 13), "\\end{align*}\n");
}

/// The Kepler problem with a let for the radius.
System kepler() {
  auto g = std::make_shared<symbolic::Graph>();
  System s = make_system(geometry::tangent(g, {{g->symbol("x"), g->symbol("y")}, {g->symbol("vx"), g->symbol("vy")}}));
  s.parameters.push_back({g->symbol("mu"), 1});
  std::vector<Expr> names{s.algebroid.x[0],      s.algebroid.x[1], s.algebroid.y[0], s.algebroid.y[1], s.z, s.t,
                          s.parameters[0].symbol};
  s.definitions.push_back(g->let("r", read(*g, "sqrt(x^2 + y^2)", names)));
  s.definitions.push_back(g->let("kinetic", read(*g, "(vx^2 + vy^2)/2", names)));
  names.push_back(s.definitions[0]);
  names.push_back(s.definitions[1]);
  s.generator = read(*g, "kinetic + mu/r - z/10", names);
  return s;
}

TEST(Presentation, WritesWhatEqualsADefinitionByItsName) {
  const auto text = printed(kepler(), Format::text);
  EXPECT_THAT(text, HasSubstr("  d(vx)/dt = -vx/10 - mu*x/r^3\n"));
}

TEST(Presentation, DoesNotTakeRootsOfDefinitions) {
  System s = pendulum();
  const Expr theta = s.algebroid.x[0];
  const Expr square = s.graph().let("square", theta * theta);
  s.definitions.push_back(square);
  s.generator = pow(s.algebroid.y[0], 2) / 2 - pow(theta, 4) / 4 - pow(theta, 5) / 5;
  // theta^3 and theta^4, where square^(3/2) would be wrong for a negative angle.
  EXPECT_THAT(printed(s, Format::text), HasSubstr("  d(omega)/dt = -theta^3 - square^2\n"));
}

TEST(Presentation, EnergyOfHomogeneousTermsKeepsDefinitionsClosed) {
  const auto text = printed(kepler(), Format::text);
  EXPECT_THAT(text, HasSubstr("  energy = kinetic + z/10 - mu/r\n"));
}

TEST(Presentation, EnergyIsRightWhereATermHasNoDegree) {
  System s = pendulum();
  const Expr omega = s.algebroid.y[0];
  s.generator = exp(omega) + pow(omega, 3) + omega * cos(s.algebroid.x[0]) - s.z;
  const auto text = printed(s, Format::text);
  // omega e^omega - e^omega, (3 - 1) omega^3, and nothing of the term of degree one.
  EXPECT_THAT(text, HasSubstr("  energy = 2*omega^3 + omega*exp(omega) + z - exp(omega)\n"));
}

TEST(Presentation, LongRowsAreBrokenInLatex) {
  System s = kepler();
  const Expr x = s.algebroid.x[0];
  Expr potential = s.graph().number(0);
  for (int k = 1; k < 12; ++k) potential += cos(double(k) * x);
  s.generator = s.generator - potential;
  EXPECT_THAT(printed(s, Format::latex), HasSubstr(" \\\\\n&\\quad {} "));
}

TEST(Presentation, SympyDefinesEverySymbolItUses) {
  const auto python = printed(pendulum(), Format::sympy);
  for (const char* name : {"theta", "omega", "m", "l", "gravity", "gamma", "z", "p_omega", "energy", "theta_dot",
                           "omega_dot", "z_dot", "energy_dot", "J_turn", "J_turn_dot", "L_z"})
    EXPECT_THAT(python, HasSubstr("\n" + std::string(name) + " = Symbol('" + name + "')")) << name;
  EXPECT_THAT(python, HasSubstr("equations = {\n"));
}

/// n definitions that use the one before them twice, of x (or v) and its square.
System nested(int n, const std::string& pattern, const char* first) {
  auto g = std::make_shared<symbolic::Graph>();
  System s = make_system(geometry::tangent(g, {{g->symbol("x")}, {g->symbol("v")}}));
  Expr last = g->symbol(first);
  std::vector<Expr> names{s.algebroid.x[0], s.algebroid.y[0], s.z, s.t};
  for (int i = 1; i <= n; ++i) {
    std::string text;
    for (const char c : pattern) text += c == 'D' ? std::string(last.name()) : std::string(1, c);
    last = g->let("d" + std::to_string(i), read(*g, text, names));
    s.definitions.push_back(last);
    names.push_back(last);
  }
  s.generator = read(*g, "(1 + " + std::string(last.name()) + "^2)*v^2/2 - z*" + std::string(last.name()), names);
  return s;
}

TEST(Presentation, DefinitionsThatUseEachOtherTwiceArePrintedByNodes) {
  for (const char* pattern : {"(D + 1)/(D + 2)", "D + sin(D)*D"})
    for (const char* first : {"x", "v"}) {
      const System s = nested(60, pattern, first);
      const auto equations = equations_of_motion(s, derive(s));
      for (const Format format : {Format::text, Format::latex, Format::sympy, Format::c})
        EXPECT_LT(render(equations, format).size(), 400'000U) << pattern << " of " << first;
    }
}

TEST(Presentation, TitlesAndNamesStayInTheirPlace) {
  System s = pendulum();
  s.title = "A\nimport os; os.abort()\r#\u2028 */ \x1b[31m";
  s.symmetries = {{"a\nb", {s.graph().number(std::int64_t{1})}}, {"a_b", {s.graph().number(std::int64_t{2})}}};
  for (const Format format : {Format::text, Format::latex, Format::sympy, Format::c}) {
    const auto text = printed(s, format);
    for (const char* control : {"\r", "\x1b", "\u2028", "\nimport", "a\nb"})
      EXPECT_THAT(text, Not(HasSubstr(control))) << static_cast<int>(format);
  }
  EXPECT_THAT(printed(s, Format::sympy), HasSubstr("J_a_b_ = Symbol('J_a_b_')")) << "two names, two symbols";
}

TEST(Presentation, SympyKeepsRowsWithEqualLeftSides) {
  System s = kepler();
  s.generator = read(s.graph(), "(vx + vy)^2/2 - x^2 - y^3",
                     {s.algebroid.x[0], s.algebroid.x[1], s.algebroid.y[0], s.algebroid.y[1]});
  const auto python = printed(s, Format::sympy);
  EXPECT_THAT(python, HasSubstr("(vx_dot + vy_dot, -2*x)"));
  EXPECT_THAT(python, HasSubstr("(vx_dot + vy_dot, -3*y**2)"));
}

TEST(Presentation, SympyRenamesWhatMeansSomethingThere) {
  auto g = std::make_shared<symbolic::Graph>();
  System s = make_system(geometry::tangent(g, {{g->symbol("lambda")}, {g->symbol("v")}}));
  s.definitions.push_back(g->let("Rational", pow(s.algebroid.x[0], 3)));
  s.generator = 0.5 * pow(s.algebroid.y[0], 2) - s.definitions[0];
  const auto python = printed(s, Format::sympy);
  EXPECT_THAT(python, HasSubstr("\nlambda_ = Symbol('lambda')"));
  EXPECT_THAT(python, HasSubstr("\nRational_ = lambda_**3\n"));
}

TEST(Presentation, CNamesItsOutputsInTheOrderOfTheModel) {
  auto g = std::make_shared<symbolic::Graph>();
  System s = make_system(geometry::tangent(g, {{g->symbol("x"), g->symbol("y")}, {g->symbol("vx"), g->symbol("vy")}}));
  std::vector<Expr> names{s.algebroid.x[0], s.algebroid.x[1], s.algebroid.y[0], s.algebroid.y[1]};
  s.generator = read(*g, "(vx^2 + vy^2)/2", names);
  constrain(s, Rule::nonholonomic, {read(*g, "vx - y*vy - 1", names), read(*g, "y - x^2", names)});
  const auto q = derive(s);
  ASSERT_EQ(q.equation.front(), 1U) << "the derivation has the velocity-free constraint first";
  const auto equations = equations_of_motion(s, q);
  const std::string c = render(equations, Format::c);
  EXPECT_THAT(c, HasSubstr("/* out[5] = multiplier lambda1 */\n/* out[6] = multiplier lambda2 */"));
  EXPECT_THAT(c, HasSubstr("/* u[6] = lambda1 */\n/* u[7] = lambda2 */"));
  const auto flow = flow_program(s, q).outputs;
  EXPECT_EQ(equations.program.outputs[5], flow[6]);
  EXPECT_EQ(equations.program.outputs[6], flow[5]);
}

TEST(Presentation, CIsTheFlow) {
  const auto c = printed(pendulum(), Format::c);
  EXPECT_THAT(c, HasSubstr("/* out[1] = d(omega)/dt */"));
  EXPECT_THAT(c, HasSubstr("void flow(const double* u, const double* p, double* out)"));
}

TEST(Presentation, LargeDenseMassMatrixStaysOnTheLeft) {
  auto g = std::make_shared<symbolic::Graph>();
  std::vector<Expr> x;
  std::vector<Expr> y;
  for (const char* i : {"1", "2", "3", "4", "5"}) {
    x.push_back(g->symbol(std::string("q") + i));
    y.push_back(g->symbol(std::string("v") + i));
  }
  System s = make_system(geometry::tangent(g, {x, y}));
  Expr sum = g->number(std::int64_t{0});
  for (std::size_t i = 0; i < y.size(); ++i) {
    sum += cos(x[i]) * y[i];
    s.generator += y[i] * y[i] / 2;
  }
  s.generator += sum * sum;
  const auto text = printed(s, Format::text);
  EXPECT_THAT(text, HasSubstr("*d(v2)/dt"));
  EXPECT_THAT(text, Not(HasSubstr("d2(")));
}

/// A pendulum that is held by its action.
System held(Rule rule) {
  System s = pendulum();
  constrain(s, rule, {s.algebroid.y[0] - s.z});
  return s;
}

TEST(Presentation, ConstraintForcesAndMultipliersArePrinted) {
  const auto nonholonomic = printed(held(Rule::nonholonomic), Format::text);
  EXPECT_THAT(nonholonomic, HasSubstr("Constraints (nonholonomic rule)"));
  EXPECT_THAT(nonholonomic, HasSubstr("lambda1 = "));
  const auto vakonomic = printed(held(Rule::vakonomic), Format::text);
  EXPECT_THAT(vakonomic, HasSubstr("Constraints (vakonomic rule)"));
  EXPECT_THAT(vakonomic, HasSubstr("d(nu1)/dt = "));
}

/// The Chaplygin sleigh of [LJL21, Sec. 8].
System sleigh() {
  auto graph = std::make_shared<symbolic::Graph>();
  System s = make_system(geometry::tangent(
      graph, {samples::symbols(*graph, {"x", "y", "phi"}), samples::symbols(*graph, {"vx", "vy", "w"})}));
  s.parameters = {{graph->symbol("alpha"), 0.3}, {graph->symbol("beta"), 0.2}, {graph->symbol("gamma"), -0.1}};
  std::vector<Expr> names = s.algebroid.x;
  names.insert(names.end(), s.algebroid.y.begin(), s.algebroid.y.end());
  names.push_back(s.z);
  for (const auto& parameter : s.parameters) names.push_back(parameter.symbol);
  s.generator = samples::read(*graph,
                              "((alpha*cos(phi) - beta*sin(phi))*w + vy)^2/2 + "
                              "((beta*cos(phi) + alpha*sin(phi))*w - vx)^2/2 + w^2 + gamma*z",
                              names);
  constrain(s, Rule::nonholonomic, {samples::read(*graph, "vx*sin(phi) - vy*cos(phi)", names)});
  return s;
}

// Printed modulo the constraint, and the same number as the solved saddle-point system on it.
TEST(Presentation, MultiplierOfTheSleighIsItsClosedForm) {
  const System s = sleigh();
  const Equations q = derive(s);
  const Presentation printed_equations = equations_of_motion(s, q);
  const auto section = std::find_if(printed_equations.sections.begin(), printed_equations.sections.end(),
                                    [](const PrintedSection& candidate) { return candidate.title == "Multipliers"; });
  ASSERT_NE(section, printed_equations.sections.end());
  const std::vector<Expr> outputs{section->equations[0].right, flow_program(s, q).outputs.back()};
  EXPECT_LT(symbolic::printed_size(outputs[0]), 40U);
  const double phi = 0.5;
  const double speed = 0.8;
  auto names = q.u;
  for (const auto& parameter : s.parameters) names.push_back(parameter.symbol);
  const std::vector<double> point{0.1, 0.2, phi, speed * std::cos(phi), speed * std::sin(phi), 1.2, 0.3, 0,
                                  0.3, 0.2, -0.1};
  const auto v = symbolic::evaluate(outputs, names, point);
  EXPECT_NEAR(v[0], v[1], 1e-14);
  EXPECT_NEAR(v[0], 2 * 1.2 * (0.2 * 1.2 - speed) / (0.3 * 0.3 + 2), 1e-14);
}

}  // namespace
