#include "herglotz/mechanics/constraint_analysis.hpp"

#include <gtest/gtest.h>

#include "samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using samples::every_algebroid;
using samples::generic_system;

/// A free particle in three dimensions: base a, b, c with velocities u, v, w.
System particle() {
  auto graph = std::make_shared<symbolic::Graph>();
  System s = make_system(
      geometry::tangent(graph, {samples::symbols(*graph, {"a", "b", "c"}), samples::symbols(*graph, {"u", "v", "w"})}));
  const auto& y = s.algebroid.y;
  s.generator = (y[0] * y[0] + y[1] * y[1] + 2.0 * y[2] * y[2] + y[0] * y[1] / 3) / 2 - s.z / 4;
  return s;
}

Expr read(const System& s, std::string_view text) {
  std::vector<Expr> names = s.algebroid.x;
  names.insert(names.end(), s.w().begin(), s.w().end());
  names.insert(names.end(), {s.z, s.t});
  return samples::read(s.graph(), text, names);
}

ConstraintAnalysis analysis_of(System s, const std::vector<std::string>& equations,
                               std::vector<double> start = {0.6, 0.8, 0.3, 0.8, -0.6, 0.4, 0.1, 0.2}) {
  std::vector<Expr> list;
  for (const auto& equation : equations) list.push_back(read(s, equation));
  constrain(s, Rule::nonholonomic, list);
  std::vector<double> parameters;
  for (const auto& parameter : s.parameters) parameters.push_back(parameter.value);
  return analyse_constraints(s, parameters, start);
}

std::string standings(const ConstraintAnalysis& analysis) {
  std::string text;
  for (const auto& finding : analysis.equations) text += std::string(name(finding.standing)) + " ";
  return text;
}

struct Case {
  std::vector<std::string> equations;
  std::string standings;
};

class Standings : public testing::TestWithParam<Case> {};

TEST_P(Standings, FollowFromThePointsOnTheEarlierEquations) {
  EXPECT_EQ(standings(analysis_of(particle(), GetParam().equations)), GetParam().standings);
}

INSTANTIATE_TEST_SUITE_P(
    Equations, Standings,
    testing::Values(
        Case{{"u - v", "v - w"}, "independent independent "}, Case{{"u - v", "2*v - 2*u"}, "independent redundant "},
        Case{{"u - v", "v - w", "u - w"}, "independent independent redundant "},
        // The derivative of a velocity-free equation follows from it, in either order.
        Case{{"a^2 + b^2 - 1", "a*u + b*v"}, "independent redundant "},
        Case{{"a*u + b*v", "a^2 + b^2 - 1"}, "redundant independent "},
        Case{{"a^2 + b^2 - 1", "(a^2 + b^2)^2 - 1"}, "independent redundant "},
        // Only on the constraint: u v = 0 where u = 0.
        Case{{"u", "u*v"}, "independent redundant "}, Case{{"c - 0.3", "(c - 0.3)*u"}, "independent redundant "},
        Case{{"u", "u - 1"}, "independent contradictory "},
        Case{{"a^2 + b^2 - 1", "2*a^2 + 2*b^2 - 3"}, "independent contradictory "}, Case{{"u^2 + 1"}, "contradictory "},
        Case{{"u^2 + v^2 - 1", "v - 2"}, "independent contradictory "},
        // The row vanishes wherever the equation holds.
        Case{{"(u - v)^2"}, "singular "}, Case{{"u^2 + v^2"}, "singular "}, Case{{"(a - 1/2)^2"}, "singular "},
        Case{{"a^2 + b^2"}, "singular "}, Case{{"u - v", "(v - w)^3"}, "independent singular "},
        // A condition on positions that no velocity can keep.
        Case{{"u", "u - a"}, "independent singular "}, Case{{"0*u"}, "redundant "},
        Case{{"a^2 + b^2 + c^2 - 1.09", "u^2 + v^2 + w^2 - 1.16"}, "independent independent "},
        Case{{"u - t*z", "v*z - w*t"}, "independent independent "}));

TEST(ConstraintAnalysis, ReportsTheValueOfAContradiction) {
  const auto found = analysis_of(particle(), {"u", "3*u - 2"});
  EXPECT_NEAR(found.equations[1].value, -2, 1e-12);
  EXPECT_EQ(found.independent, std::vector<std::size_t>{0});
  EXPECT_EQ(found.integrability, Integrability::not_decided);
}

TEST(ConstraintAnalysis, KeepsTheIndependentEquationsInTheirOrder) {
  const auto found = analysis_of(particle(), {"u - v", "a - b + 0.2", "w - 0.4"});
  EXPECT_EQ(standings(found), "redundant independent independent ");
  EXPECT_EQ(found.independent, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(found.equations[0].kind, ConstraintKind::linear);
  EXPECT_EQ(found.equations[1].kind, ConstraintKind::holonomic);
  EXPECT_EQ(found.equations[2].kind, ConstraintKind::affine);
}

/// The gravity direction of a heavy top keeps its length: d/dt |x|^2 = 0 on the action algebroid.
TEST(ConstraintAnalysis, FirstIntegralsOfEveryMotionAreRedundant) {
  for (const auto& kind : every_algebroid())
    if (kind.name == "action") {
      const auto found =
          analysis_of(generic_system(kind.algebroid), {"x1^2 + x2^2 + x3^2 - 1"}, {0.6, 0, 0.8, 0.1, 0.2, 0.3, 0, 0});
      EXPECT_EQ(standings(found), "redundant ");
      EXPECT_TRUE(found.independent.empty());
      EXPECT_EQ(found.integrability, Integrability::none);
    }
}

TEST(ConstraintAnalysis, PointsOutsideTheDomainAreSkippedAndTooFewAreAnError) {
  EXPECT_EQ(standings(analysis_of(particle(), {"log(a) + u"}, {0.1, 0, 0, 0, 0, 0, 0, 0})), "independent ");
  EXPECT_THROW(analysis_of(particle(), {"log(a) + u"}, {-1, 0, 0, 0, 0, 0, 0, 0}), std::runtime_error);
  EXPECT_THROW(analysis_of(particle(), {"u"}, {0, 0}), std::invalid_argument);
}

TEST(ConstraintAnalysis, IsTheSameEveryTime) {
  const auto one = analysis_of(particle(), {"c*u - v"});
  const auto two = analysis_of(particle(), {"c*u - v"});
  EXPECT_EQ(one.involutivity_defect, two.involutivity_defect);
}

struct Distribution {
  std::vector<std::string> equations;
  Integrability integrability;
};

class Integrable : public testing::TestWithParam<Distribution> {};

// Frobenius on T R^3, with time and the action as further coordinates.
TEST_P(Integrable, WhereTheAdmissibleDirectionsAreInvolutive) {
  const auto found = analysis_of(particle(), GetParam().equations);
  EXPECT_EQ(found.integrability, GetParam().integrability) << found.involutivity_defect << found.reason;
  if (found.integrability == Integrability::nonintegrable) {
    EXPECT_GT(found.involutivity_defect, 1e-3);
  }
}

constexpr auto yes = Integrability::integrable;
constexpr auto no = Integrability::nonintegrable;
constexpr auto open = Integrability::not_decided;

INSTANTIATE_TEST_SUITE_P(Distributions, Integrable,
                         testing::Values(Distribution{{"u - v"}, yes}, Distribution{{"w - b*u"}, no},
                                         Distribution{{"u*sin(c) - v*cos(c)"}, no}, Distribution{{"w - b*u", "v"}, yes},
                                         Distribution{{"a*u + b*v + c*w"}, yes},
                                         Distribution{{"exp(c)*(b*u + a*v)"}, yes},
                                         Distribution{{"a^2 + b^2 - 1", "w - u"}, yes},
                                         // On the velocity-free equation, w - b u is w - b0 u.
                                         Distribution{{"b - 0.8", "w - b*u"}, yes}, Distribution{{"u - 1"}, yes},
                                         Distribution{{"a - t"}, yes}, Distribution{{"u - b"}, no},
                                         Distribution{{"u*sin(t) - v*cos(t)"}, no}, Distribution{{"u*t - v*t"}, yes},
                                         Distribution{{"u*z - v"}, no}, Distribution{{"(u - v)*(1 + z^2)"}, yes},
                                         Distribution{{"u - v - z"}, no}, Distribution{{"u^2 + v^2 - 1"}, open},
                                         Distribution{{"z - a"}, open}, Distribution{{"u", "v", "w"}, yes}));

// [LJL21, Thm 24; GG08, Thm 7] on Lie algebras: ker Phi is a subalgebra or not.
TEST(ConstraintAnalysis, SubalgebrasAreIntegrable) {
  for (const auto& kind : every_algebroid()) {
    if (kind.name != "so3" && kind.name != "se2" && kind.name != "heisenberg") continue;
    const System s = generic_system(kind.algebroid);
    const std::vector<double> start{0.3, 0.2, 0.4, 0.1, 0.1};
    EXPECT_EQ(analysis_of(s, {"y1", "y2"}, start).integrability, yes) << kind.name;
    // so(3) has no subalgebra of dimension two; [e1, e2] = e3 in se(2) and Heisenberg, whose others are Abelian.
    EXPECT_EQ(analysis_of(s, {"y3"}, start).integrability, no) << kind.name;
    EXPECT_EQ(analysis_of(s, {"y1"}, start).integrability, kind.name == "so3" ? no : yes) << kind.name;
  }
}

}  // namespace
