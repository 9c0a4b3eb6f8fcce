#include "discrete_samples.hpp"

namespace herglotz::discrete::samples {
namespace {

TEST(DiscreteLagrangian, RulesAreWhatTheySay) {
  const System of = system({"q"}, "vq^2*(1 + z^2)/2 - q^4*sin(t)");
  const auto value = [&](PositionRule position, ActionRule action) {
    const auto step = discretise(of, position, action);
    const std::vector<Expr> symbols{step.q0[0], step.q1[0], step.z0, step.z1, step.t0, step.h};
    return symbolic::evaluate(step.ell, symbols, std::vector<double>{0.3, 0.5, 0.2, 0.6, 0.7, 0.1});
  };
  const auto L = [](double q, double z, double t) {
    const double v = 2;
    return v * v * (1 + z * z) / 2 - q * q * q * q * std::sin(t);
  };
  EXPECT_NEAR(value(PositionRule::left, ActionRule::left), 0.1 * L(0.3, 0.2, 0.7), 1e-15);
  EXPECT_NEAR(value(PositionRule::left, ActionRule::implicit), 0.1 * L(0.3, 0.4, 0.7), 1e-15);
  EXPECT_NEAR(value(PositionRule::midpoint, ActionRule::left), 0.1 * L(0.4, 0.2, 0.75), 1e-15);
  EXPECT_NEAR(value(PositionRule::midpoint, ActionRule::implicit), 0.1 * L(0.4, 0.4, 0.75), 1e-15);
  EXPECT_NEAR(value(PositionRule::trapezoid, ActionRule::left), 0.05 * (L(0.3, 0.2, 0.7) + L(0.5, 0.2, 0.8)), 1e-15);
  EXPECT_NEAR(value(PositionRule::trapezoid, ActionRule::implicit), 0.05 * (L(0.3, 0.2, 0.7) + L(0.5, 0.6, 0.8)),
              1e-15);
}

void expect_refused(const System& of, const std::string& reason) {
  try {
    discretise(of, PositionRule::midpoint, ActionRule::left);
    FAIL() << "not refused: " << reason;
  } catch (const std::invalid_argument& refusal) {
    EXPECT_NE(std::string(refusal.what()).find(reason), std::string::npos) << refusal.what();
  }
}

TEST(DiscreteLagrangian, WhatItCannotHoldIsRefused) {
  System constrained = system({"q"}, "vq^2/2");
  mechanics::constrain(constrained, mechanics::Rule::nonholonomic, {constrained.algebroid.y[0]});
  expect_refused(constrained, "constraints");
  System hamiltonian = system({"q"}, "vq^2/2");
  hamiltonian.formulation = mechanics::Formulation::hamiltonian;
  expect_refused(hamiltonian, "Hamiltonian");
  auto graph = std::make_shared<symbolic::Graph>();
  geometry::Coordinates point{{}, {graph->symbol("a"), graph->symbol("b"), graph->symbol("c")}};
  System body =
      mechanics::make_system(geometry::lie_algebra(graph, point, geometry::group_structure(*graph, "so3", 3)));
  body.generator = body.algebroid.y[0];
  body.algebroid.integration.reset();  // no groupoid is known then
  expect_refused(body, "lie-algebra");
}

TEST(DiscreteLagrangian, ForcesOfRulesActWhereTheLagrangianIsEvaluated) {
  System of = system({"q"}, "vq^2/2");
  of.forces[0] = parsed(of.algebroid.graph, "vq + q*z - t");
  const auto F = [](double q, double z, double t) { return 2 + q * z - t; };
  const auto expect = [&](PositionRule position, ActionRule action, double minus, double plus) {
    const auto step = discretise(of, position, action);
    EXPECT_TRUE(has_forces(step));
    EXPECT_NO_THROW(require_matching_forces(of, step));
    const std::vector<Expr> symbols{step.q0[0], step.q1[0], step.z0, step.z1, step.t0, step.h};
    const std::vector<double> values{0.3, 0.5, 0.2, 0.6, 0.7, 0.1};
    EXPECT_NEAR(symbolic::evaluate(step.minus[0], symbols, values), minus, 1e-15) << step.rule;
    EXPECT_NEAR(symbolic::evaluate(step.plus[0], symbols, values), plus, 1e-15) << step.rule;
    const auto derived = discrete_herglotz(step);
    EXPECT_EQ(derived.pull0[0], derived.D1[0] + step.minus[0]);
    EXPECT_EQ(derived.pull1[0], derived.D2[0] + step.plus[0]);
  };
  expect(PositionRule::left, ActionRule::left, 0.1 * F(0.3, 0.2, 0.7), 0);
  expect(PositionRule::left, ActionRule::implicit, 0.1 * F(0.3, 0.4, 0.7), 0);
  expect(PositionRule::midpoint, ActionRule::left, 0.05 * F(0.4, 0.2, 0.75), 0.05 * F(0.4, 0.2, 0.75));
  expect(PositionRule::midpoint, ActionRule::implicit, 0.05 * F(0.4, 0.4, 0.75), 0.05 * F(0.4, 0.4, 0.75));
  expect(PositionRule::trapezoid, ActionRule::left, 0.05 * F(0.3, 0.2, 0.7), 0.05 * F(0.5, 0.2, 0.8));
  expect(PositionRule::trapezoid, ActionRule::implicit, 0.05 * F(0.3, 0.2, 0.7), 0.05 * F(0.5, 0.6, 0.8));
}

TEST(DiscreteLagrangian, ForcesOfTheSystemAndOfTheStepGoTogether) {
  System forced = system({"q"}, "vq^2/2");
  DiscreteLagrangian step = given(forced, "(q1 - q0)^2/(2*h)");
  EXPECT_NO_THROW(require_matching_forces(forced, step));
  forced.forces[0] = forced.algebroid.y[0];
  EXPECT_THROW(require_matching_forces(forced, step), std::invalid_argument);
  step.plus[0] = step.h;
  EXPECT_NO_THROW(require_matching_forces(forced, step));
  forced.forces[0] = forced.graph().number(0);
  EXPECT_THROW(require_matching_forces(forced, step), std::invalid_argument);
}

TEST(DiscreteLagrangian, PrintsDiscreteForcesInEquationsAndTransforms) {
  System of = system({"q"}, "vq^2/2 - z/20");
  of.forces[0] = parsed(of.algebroid.graph, "k*vq");
  const auto presentation = discrete_equations(of, discretise(of, PositionRule::midpoint, ActionRule::left));
  const std::string text = mechanics::render(presentation, symbolic::Format::text);
  for (const char* part : {"Discrete forces", "f-(vq) = ", "f+(vq) = ", "Discrete Herglotz equations"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text.find("Contact forms"), std::string::npos) << "forces leave no contact form\n" << text;
  const auto herglotz = text.substr(text.find("Discrete Herglotz equations"));
  EXPECT_NE(herglotz.find("k*"), std::string::npos) << text;
}

TEST(DiscreteLagrangian, FormsNeedAnActionOnQxQxR) {
  const auto sample = on_Q_Q_R2().front();
  EXPECT_THROW(eta_minus(sample.step), std::invalid_argument);
  EXPECT_THROW(eta_plus(sample.step), std::invalid_argument);
}

// [ASMLL20, Ex. 1]: q2 = (h gamma + 2) q1 - (h gamma + 1) q0.
TEST(DiscreteLagrangian, PrintsTheEquationsOfTheFreeParticle) {
  const auto sample = on_Q_Q_R().front();
  const auto presentation = discrete_equations(sample.of, sample.step);
  const std::string text = mechanics::render(presentation, symbolic::Format::text);
  for (const char* part : {"Conformal factor", "sigma_d = ", "Discrete Legendre transforms", "p_vq[0]", "p_vq[1]",
                           "Discrete Herglotz equations", "q[k+1]", "q[k-1]", "J(s1)", "invariance_defect(s1) = 0"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const std::string latex = mechanics::render(presentation, symbolic::Format::latex);
  EXPECT_NE(latex.find("{q}_{k+1}"), std::string::npos) << latex;
  const std::string sympy = mechanics::render(presentation, symbolic::Format::sympy);
  EXPECT_NE(sympy.find("q_next"), std::string::npos) << sympy;
  // The printed equation, solved for q[k+1], is the recursion of the paper.
  const auto& sections = presentation.sections;
  const auto herglotz = std::find_if(sections.begin(), sections.end(),
                                     [](const auto& s) { return s.title == "Discrete Herglotz equations"; });
  ASSERT_NE(herglotz, sections.end());
  const Expr equation = herglotz->equations.back().left - herglotz->equations.back().right;
  auto& graph = sample.of.graph();
  const std::vector<Expr> symbols{graph.symbol("q[k-1]"), graph.symbol("q[k]"), graph.symbol("q[k+1]"),
                                  sample.step.h,          graph.symbol("z[k]"), graph.symbol("z[k-1]")};
  const double h = 0.5;
  const double gamma = -0.05;
  const double q2 = (h * gamma + 2) * 2.0 - (h * gamma + 1) * 1.0;
  EXPECT_NEAR(symbolic::evaluate(equation, symbols, std::vector<double>{1, 2, q2, h, 0.3, 0.1}), 0, 1e-14);
  EXPECT_GT(std::abs(symbolic::evaluate(equation, symbols, std::vector<double>{1, 2, q2 + 0.1, h, 0.3, 0.1})), 0.1);
}

}  // namespace
}  // namespace herglotz::discrete::samples
