#include "herglotz/mechanics/constraint_analysis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "constraints/orthonormal.hpp"
#include "motion.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using samples::every_algebroid;
using samples::generic_system;

/// A free particle in three dimensions: base a, b, c with velocities u, v, w.
System free_particle() {
  auto graph = std::make_shared<symbolic::Graph>();
  System s = make_system(
      geometry::tangent(graph, {samples::symbols(*graph, {"a", "b", "c"}), samples::symbols(*graph, {"u", "v", "w"})}));
  const auto& y = s.algebroid.y;
  s.generator = (y[0] * y[0] + y[1] * y[1] + 2.0 * y[2] * y[2] + y[0] * y[1] / 3) / 2 - s.z / 4;
  return s;
}

Expr read_in(const System& s, std::string_view text) {
  std::vector<Expr> names = s.algebroid.x;
  names.insert(names.end(), s.w().begin(), s.w().end());
  names.insert(names.end(), {s.z, s.t});
  return samples::read(s.graph(), text, names);
}

ConstraintAnalysis analysis_of(System s, const std::vector<std::string>& equations,
                               std::vector<double> start = {0.6, 0.8, 0.3, 0.8, -0.6, 0.4, 0.1, 0.2},
                               bool integrability = true) {
  std::vector<Expr> list;
  for (const auto& equation : equations) list.push_back(read_in(s, equation));
  constrain(s, Rule::nonholonomic, list);
  std::vector<double> parameters;
  for (const auto& parameter : s.parameters) parameters.push_back(parameter.value);
  return integrability ? analyse_constraints(s, parameters, start) : analyse_independence(s, parameters, start);
}

std::string standings(const ConstraintAnalysis& analysis) {
  std::string text;
  for (const auto& finding : analysis.equations) text += std::string(name(finding.standing)) + " ";
  return text;
}

struct EquationsAndStandings {
  std::vector<std::string> equations;
  std::string standings;
};

class Standings : public testing::TestWithParam<EquationsAndStandings> {};

TEST_P(Standings, FollowFromThePointsOnTheEarlierEquations) {
  EXPECT_EQ(standings(analysis_of(free_particle(), GetParam().equations)), GetParam().standings);
}

INSTANTIATE_TEST_SUITE_P(
    Equations, Standings,
    testing::Values(
        EquationsAndStandings{{"u - v", "v - w"}, "independent independent "},
        EquationsAndStandings{{"u - v", "2*v - 2*u"}, "independent redundant "},
        EquationsAndStandings{{"u - v", "v - w", "u - w"}, "independent independent redundant "},
        // The derivative of a velocity-free equation follows from it, in either order.
        EquationsAndStandings{{"a^2 + b^2 - 1", "a*u + b*v"}, "independent redundant "},
        EquationsAndStandings{{"a*u + b*v", "a^2 + b^2 - 1"}, "redundant independent "},
        EquationsAndStandings{{"a^2 + b^2 - 1", "(a^2 + b^2)^2 - 1"}, "independent redundant "},
        // Only on the constraint: u v = 0 where u = 0.
        EquationsAndStandings{{"u", "u*v"}, "independent redundant "},
        EquationsAndStandings{{"c - 0.3", "(c - 0.3)*u"}, "independent redundant "},
        EquationsAndStandings{{"u", "u - 1"}, "independent contradictory "},
        EquationsAndStandings{{"a^2 + b^2 - 1", "2*a^2 + 2*b^2 - 3"}, "independent contradictory "},
        EquationsAndStandings{{"u^2 + 1"}, "contradictory "},
        EquationsAndStandings{{"u^2 + v^2 - 1", "v - 2"}, "independent contradictory "},
        // The row vanishes wherever the equation holds.
        EquationsAndStandings{{"(u - v)^2"}, "singular "}, EquationsAndStandings{{"u^2 + v^2"}, "singular "},
        EquationsAndStandings{{"(a - 1/2)^2"}, "singular "}, EquationsAndStandings{{"a^2 + b^2"}, "singular "},
        EquationsAndStandings{{"u - v", "(v - w)^3"}, "independent singular "},
        // A condition on positions that no velocity can keep.
        EquationsAndStandings{{"u", "u - a"}, "independent singular "},
        // Possible only where a < 1/5, farther from the start than the points are.
        EquationsAndStandings{{"u^2 + v^2 + 10*(a - 1/5)"}, "independent "},
        EquationsAndStandings{{"0*u"}, "redundant "},
        EquationsAndStandings{{"a^2 + b^2 + c^2 - 1.09", "u^2 + v^2 + w^2 - 1.16"}, "independent independent "},
        EquationsAndStandings{{"u - t*z", "v*z - w*t"}, "independent independent "}));

TEST(ConstraintAnalysis, ReportsTheValueOfAContradiction) {
  const auto found = analysis_of(free_particle(), {"u", "3*u - 2"});
  EXPECT_NEAR(found.equations[1].value, -2, 1e-12);
  EXPECT_EQ(found.independent, std::vector<std::size_t>{0});
  EXPECT_EQ(found.integrability, Integrability::not_decided);
}

TEST(ConstraintAnalysis, KeepsTheIndependentEquationsInTheirOrder) {
  const auto found = analysis_of(free_particle(), {"u - v", "a - b + 0.2", "w - 0.4"});
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
  EXPECT_EQ(standings(analysis_of(free_particle(), {"log(a) + u"}, {0.1, 0, 0, 0, 0, 0, 0, 0})), "independent ");
  EXPECT_EQ(standings(analysis_of(free_particle(), {"sqrt(1e-4 - a^2)*u - v"}, {0, 0, 0, 0, 0, 0, 0, 0})),
            "independent ");
  EXPECT_THROW(analysis_of(free_particle(), {"log(a) + u"}, {-1, 0, 0, 0, 0, 0, 0, 0}), std::runtime_error);
  EXPECT_THROW(analysis_of(free_particle(), {"u"}, {0, 0}), std::invalid_argument);
}

// Newton's method for atan diverges from more than 1.39 away; the start is on it.
TEST(ConstraintAnalysis, IsMadeCloseToTheStartWhereNewtonsMethodNeedsThat) {
  const auto found = analysis_of(free_particle(), {"atan(1000*(u - 0.3))"}, {0, 0, 0, 0.3, 0, 0, 0, 0});
  EXPECT_EQ(standings(found), "independent ");
}

TEST(ConstraintAnalysis, IsTheSameEveryTime) {
  const auto one = analysis_of(free_particle(), {"c*u - v"});
  const auto two = analysis_of(free_particle(), {"c*u - v"});
  EXPECT_EQ(one.involutivity_defect, two.involutivity_defect);
}

/// The lengths of a chain of rods in the plane, whose joints are x1, y1, x2, y2, ...
std::vector<std::string> lengths_of_rods(std::size_t rods) {
  std::vector<std::string> lengths{"x1^2 + y1^2 - 1"};
  for (std::size_t k = 1; k < rods; ++k) {
    const std::string here = std::to_string(k);
    const std::string next = std::to_string(k + 1);
    lengths.push_back("(x" + next + " - x" + here + ")^2 + (y" + next + " - y" + here + ")^2 - 1");
  }
  return lengths;
}

/// Points with unit masses at the joints of such a chain, which is straight at the start.
System joints(std::size_t rods, std::vector<double>& start) {
  auto graph = std::make_shared<symbolic::Graph>();
  std::vector<std::string> base;
  std::vector<std::string> fibre;
  for (std::size_t k = 1; k <= rods; ++k) {
    for (const char* letter : {"x", "y"}) base.push_back(letter + std::to_string(k));
    for (const char* letter : {"u", "v"}) fibre.push_back(letter + std::to_string(k));
    start.insert(start.end(), {0.6 * static_cast<double>(k), 0.8 * static_cast<double>(k)});
  }
  start.resize(4 * rods + 2, 0.0);
  System s = make_system(geometry::tangent(graph, {samples::symbols(*graph, base), samples::symbols(*graph, fibre)}));
  s.generator = -s.z / 4;
  for (const Expr& y : s.algebroid.y) s.generator += y * y / 2;
  return s;
}

// More rows than are solved for as dense ones.
TEST(ConstraintAnalysis, TakesLongChainsOfRods) {
  constexpr std::size_t rods = 40;
  std::vector<double> start;
  System s = joints(rods, start);
  const auto found = analysis_of(s, lengths_of_rods(rods), start);
  EXPECT_EQ(found.independent.size(), rods);
  for (const auto& finding : found.equations) {
    EXPECT_EQ(finding.standing, ConstraintStatus::independent);
    EXPECT_EQ(finding.kind, ConstraintKind::holonomic);
  }
  EXPECT_EQ(found.integrability, Integrability::integrable);
  // The rows are exact differentials.
  EXPECT_EQ(found.involutivity_defect, 0.0);
}

// Where one of the rows adds no direction they are examined one after the other, and only that one is left out.
TEST(ConstraintAnalysis, FindsTheRodThatTheOthersImply) {
  constexpr std::size_t rods = 33;
  std::vector<double> start;
  System s = joints(rods, start);
  auto lengths = lengths_of_rods(rods);
  lengths.insert(lengths.begin() + 2, "2*x1^2 + 2*y1^2 - 2");
  const auto found = analysis_of(s, lengths, start);
  for (std::size_t k = 0; k < found.equations.size(); ++k)
    EXPECT_EQ(found.equations[k].standing, k == 2 ? ConstraintStatus::redundant : ConstraintStatus::independent) << k;
}

TEST(ConstraintAnalysis, OfIndependenceAloneFindsTheSameEquations) {
  for (const auto& equations :
       {std::vector<std::string>{"c*u - v", "a^2 + b^2 - 1"}, {"u", "3*u - 2"}, {"u - v", "a - b + 0.2", "w - 0.4"}}) {
    const auto whole = analysis_of(free_particle(), equations);
    const auto part = analysis_of(free_particle(), equations, {0.6, 0.8, 0.3, 0.8, -0.6, 0.4, 0.1, 0.2}, false);
    EXPECT_EQ(standings(part), standings(whole));
    EXPECT_EQ(part.independent, whole.independent);
    EXPECT_EQ(part.integrability, Integrability::none);
  }
}

struct ConstraintDistribution {
  std::vector<std::string> equations;
  Integrability integrability;
};

class Integrable : public testing::TestWithParam<ConstraintDistribution> {};

// Frobenius on T R^3, with time and the action as further coordinates.
TEST_P(Integrable, WhereTheAdmissibleDirectionsAreInvolutive) {
  const auto found = analysis_of(free_particle(), GetParam().equations);
  EXPECT_EQ(found.integrability, GetParam().integrability) << found.involutivity_defect << found.reason;
  if (found.integrability == Integrability::nonintegrable) {
    EXPECT_GT(std::max(found.involutivity_defect, found.curvature), 1e-3);
  }
}

constexpr auto yes = Integrability::integrable;
constexpr auto no = Integrability::nonintegrable;
constexpr auto open = Integrability::not_decided;

INSTANTIATE_TEST_SUITE_P(
    Distributions, Integrable,
    testing::Values(ConstraintDistribution{{"u - v"}, yes}, ConstraintDistribution{{"w - b*u"}, no},
                    ConstraintDistribution{{"u*sin(c) - v*cos(c)"}, no}, ConstraintDistribution{{"w - b*u", "v"}, yes},
                    ConstraintDistribution{{"a*u + b*v + c*w"}, yes},
                    ConstraintDistribution{{"exp(c)*(b*u + a*v)"}, yes},
                    ConstraintDistribution{{"a^2 + b^2 - 1", "w - u"}, yes},
                    // On the velocity-free equation, w - b u is w - b0 u.
                    ConstraintDistribution{{"b - 0.8", "w - b*u"}, yes}, ConstraintDistribution{{"u - 1"}, yes},
                    ConstraintDistribution{{"a - t"}, yes}, ConstraintDistribution{{"u - b"}, no},
                    ConstraintDistribution{{"u*sin(t) - v*cos(t)"}, no}, ConstraintDistribution{{"u*t - v*t"}, yes},
                    ConstraintDistribution{{"u*z - v"}, no}, ConstraintDistribution{{"(u - v)*(1 + z^2)"}, yes},
                    ConstraintDistribution{{"u - v - z"}, no}, ConstraintDistribution{{"u^2 + v^2 - 1"}, no},
                    // Curved in the velocities, though on a surface of the base.
                    ConstraintDistribution{{"b - 0.8", "u^2 + w^2 - 1"}, no},
                    ConstraintDistribution{{"u^2 - w", "v - 1", "w - 1/4"}, yes},
                    // The plane u = v, written as nonlinear.
                    ConstraintDistribution{{"exp(u - v) - 1"}, open}, ConstraintDistribution{{"z - a"}, open},
                    ConstraintDistribution{{"u", "v", "w"}, yes}));

/// The velocities moved onto constraints that are affine in them.
samples::Values on_constraints(const samples::Flow& flow, samples::Values v) {
  const std::size_t r = flow.system.r();
  const auto Phi = flow.evaluate(flow.q.Phi, v);
  const auto Phi_y = flow.evaluate(flow.q.Phi_y.entries, v);
  std::vector<Row> rows;
  Row target;
  for (std::size_t A = 0; A < Phi.size(); ++A) {
    rows.emplace_back(Phi_y.begin() + static_cast<std::ptrdiff_t>(A * r),
                      Phi_y.begin() + static_cast<std::ptrdiff_t>((A + 1) * r));
    target.push_back(-Phi[A]);
  }
  const Row step = shortest_solution(rows, target, r);
  for (std::size_t a = 0; a < r; ++a) v[flow.system.n() + a] += step[a];
  return v;
}

/// The largest difference of (x_dot, w_dot, z_dot) between the rules, at velocities and multipliers of all kinds.
double between_the_rules(System s, const std::vector<Expr>& equations, const samples::Values& base) {
  constrain(s, Rule::nonholonomic, equations);
  const samples::Flow nonholonomic(s);
  constrain(s, Rule::vakonomic, equations);
  const samples::Flow vakonomic(s);
  std::mt19937_64 engine(3);
  double largest = 0;
  for (int k = 0; k < 4; ++k) {
    samples::Values v = samples::random_values(nonholonomic.names.size() - nonholonomic.parameters.size(), engine);
    std::copy(base.begin(), base.end(), v.begin());
    v[s.n() + s.r() + 1] = 0.6;
    v = on_constraints(nonholonomic, v);
    const auto one = nonholonomic(v);
    const auto two = vakonomic(v);
    for (std::size_t i = 0; i <= s.n() + s.r(); ++i) largest = std::max(largest, std::abs(one[i] - two[i]));
  }
  return largest;
}

// [GG08, Sec. 5.5]: a nonholonomic constraint is holonomic where D is closed under the bracket; then, and only then,
// both rules have the same motions, whatever nu is.
TEST_P(Integrable, IsWhereBothRulesHaveTheSameMotions) {
  if (GetParam().integrability == Integrability::not_decided) return;
  const System s = free_particle();
  std::vector<Expr> equations;
  for (const auto& equation : GetParam().equations) equations.push_back(read_in(s, equation));
  const double apart = between_the_rules(s, equations, {0.6, 0.8, 0.3});
  if (GetParam().integrability == Integrability::integrable)
    EXPECT_LT(apart, 1e-12);
  else
    EXPECT_GT(apart, 1e-3);
}

// d(d phi) = 0 where the anchor is a homomorphism of brackets; a D of rank one is closed where the bracket is skew.
TEST(ConstraintAnalysis, VelocityFreeConstraintsAreIntegrableOnLieAlgebroidsAndNotOnGeneralOnes) {
  for (const auto& kind : every_algebroid()) {
    System s = generic_system(kind.algebroid);
    if (s.n() == 0 || s.r() < 2) continue;
    const auto& x = s.algebroid.x;
    const std::vector<Expr> equations{x[0] * x[0] + x.back() - x.back() * x[0] / 2 - 0.625};
    samples::Values base(s.n(), 0.5);
    constrain(s, Rule::nonholonomic, equations);
    const auto found = analyse_constraints(s, std::vector<double>{0.3}, samples::Values(s.n() + s.r() + 2, 0.5));
    ASSERT_NEAR(symbolic::evaluate(equations[0], x, base), 0, 1e-15);
    const double apart = between_the_rules(s, equations, base);
    const bool closed = kind.name != "general";
    EXPECT_EQ(apart < 1e-10, closed) << kind.name << " " << apart;
    EXPECT_EQ(found.integrability, closed ? yes : no) << kind.name << " " << found.involutivity_defect;
  }
}

/// rho = 1, c = 0 in the plane, with a right anchor of rows e1, e2.
System with_right_anchor(const std::vector<std::vector<std::string>>& right) {
  auto g = std::make_shared<symbolic::Graph>();
  const auto x = samples::symbols(*g, {"x1", "x2"});
  const auto one = samples::read_matrix(*g, {{"1", "0"}, {"0", "1"}}, x);
  return generic_system(geometry::custom(g, {x, samples::symbols(*g, {"y1", "y2"})}, one,
                                         geometry::StructureFunctions(2, g->number(std::int64_t{0})),
                                         samples::read_matrix(*g, right, x)));
}

// [X, X] = (rho - sigma)(X)(X^k) e_k for X = e1 + x1 e2, which is in D where rho(X) and sigma(X) agree on x1.
TEST(ConstraintAnalysis, TheRightAnchorDerivesTheFirstSectionOfABracket) {
  const std::vector<double> start{0.5, 0.4, 0.3, 0.15, 0.2, 0.1};
  for (const auto& [right, expected] : {std::pair{std::vector<std::vector<std::string>>{{"1", "5"}, {"0", "3"}}, yes},
                                        std::pair{std::vector<std::vector<std::string>>{{"2", "0"}, {"0", "1"}}, no}}) {
    const System s = with_right_anchor(right);
    EXPECT_EQ(analysis_of(s, {"y2 - x1*y1"}, start).integrability, expected);
    EXPECT_EQ(between_the_rules(s, {read_in(s, "y2 - x1*y1")}, {0.5, 0.4}) < 1e-10, expected == yes);
  }
}

// [GG08, Sec. 5.6]: sigma X leaves x1 = 1/2 for X = e2, so that its brackets are not defined there.
TEST(ConstraintAnalysis, TheRightAnchorMustNotLeaveVelocityFreeEquations) {
  const std::vector<double> start{0.5, 0.4, 0.0, 0.15, 0.2, 0.1};
  EXPECT_EQ(analysis_of(with_right_anchor({{"2", "1"}, {"0", "3"}}), {"x1 - 0.5"}, start).integrability, yes);
  EXPECT_EQ(analysis_of(with_right_anchor({{"2", "1"}, {"1", "3"}}), {"x1 - 0.5"}, start).integrability, no);
}

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
