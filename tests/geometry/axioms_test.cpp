#include "herglotz/geometry/axioms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "every_algebroid.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace {

using namespace herglotz::geometry;
using herglotz::symbolic::evaluate;
using samples::every_algebroid;
using samples::read_matrix;
using samples::symbols;

AxiomDefects check(const Algebroid& a) {
  const std::vector<double> centre(a.n(), 0.7);
  return check_axioms(a, {}, {}, centre);
}

class EveryAlgebroid : public testing::TestWithParam<samples::Kind> {};

TEST_P(EveryAlgebroid, HasTheAxiomsThatItsKindPromises) {
  // A distribution that is not involutive gives a skew bracket whose anchor is not a homomorphism. [GG08, Ex. 2].
  const std::map<std::string, AlgebroidClass> exceptions{{"general", AlgebroidClass::general},
                                                         {"constrained", AlgebroidClass::skew}};
  const auto at = exceptions.find(GetParam().name);
  const auto expected = at == exceptions.end() ? AlgebroidClass::lie : at->second;
  const auto defects = check(GetParam().algebroid);
  EXPECT_EQ(name(defects.algebroid_class), name(expected))
      << defects.anchors << " " << defects.skewness << " " << defects.anchor << " " << defects.jacobi;
  EXPECT_GT(defects.points, 0U);
}

// [GG08, Sec. 2]: an algebroid is quasi-Lie exactly when its adjoint is its opposite.
TEST_P(EveryAlgebroid, IsSkewExactlyWhenItsAdjointIsItsOpposite) {
  const Algebroid& a = GetParam().algebroid;
  const Algebroid transposed = adjoint(a);
  const Algebroid negated = opposite(a);
  const std::vector<double> at(a.n(), 0.37);
  const auto same = [&](Expr p, Expr q) { return std::abs(evaluate(p, a.x, at) - evaluate(q, a.x, at)) < 1e-14; };
  bool equal = true;
  for (std::size_t k = 0; k < a.rho.entries.size(); ++k)
    equal = equal && same(transposed.rho.entries[k], negated.rho.entries[k]) &&
            same(transposed.sigma.entries[k], negated.sigma.entries[k]);
  for (std::size_t k = 0; k < a.r(); ++k)
    for (std::size_t i = 0; i < a.r(); ++i)
      for (std::size_t j = 0; j < a.r(); ++j) equal = equal && same(transposed.c(k, i, j), negated.c(k, i, j));
  EXPECT_EQ(equal, check(a).algebroid_class != AlgebroidClass::general);
}

// (-rho, -c) is again Lie: X -> -X carries one bracket into the other.
TEST_P(EveryAlgebroid, HasAnOppositeOfTheSameClass) {
  EXPECT_EQ(check(opposite(GetParam().algebroid)).algebroid_class, check(GetParam().algebroid).algebroid_class);
}

TEST_P(EveryAlgebroid, IsItsAdjointsAdjoint) {
  const Algebroid& a = GetParam().algebroid;
  const Algebroid back = adjoint(adjoint(a));
  EXPECT_EQ(back.rho.entries, a.rho.entries);
  EXPECT_EQ(back.sigma.entries, a.sigma.entries);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryAlgebroid, testing::ValuesIn(every_algebroid()),
                         [](const auto& given) { return given.param.name; });

/// so(3) acting on R^3 by generators x cross e_a, times a sign.
Algebroid rotations(const std::string& sign) {
  auto g = std::make_shared<Graph>();
  const auto x = symbols(*g, {"x1", "x2", "x3"});
  const auto entry = [&](const std::string& text) { return text == "0" ? text : sign + "(" + text + ")"; };
  return action(g, {x, symbols(*g, {"w1", "w2", "w3"})}, group_structure(*g, "so3", 3),
                read_matrix(*g,
                            {{entry("0"), entry("x3"), entry("-x2")},
                             {entry("-x3"), entry("0"), entry("x1")},
                             {entry("x2"), entry("-x1"), entry("0")}},
                            x));
}

// The generators of a left action are an anti-homomorphism: the sign in [ASC25, Ex. 3.7] is not that of a Lie
// algebroid.
TEST(Axioms, DetectTheWrongSignOfAnInfinitesimalGenerator) {
  EXPECT_EQ(check(rotations("")).algebroid_class, AlgebroidClass::lie);
  const auto wrong = check(rotations("-"));
  EXPECT_EQ(wrong.algebroid_class, AlgebroidClass::skew);
  EXPECT_GT(wrong.anchor, 0.1);
  EXPECT_LT(wrong.jacobi, 1e-12);
}

TEST(Axioms, DetectABracketThatViolatesTheJacobiIdentity) {
  auto g = std::make_shared<Graph>();
  StructureFunctions c = group_structure(*g, "so3", 3);
  c.set(0, 0, 1, g->number(std::int64_t{1}));
  c.set(0, 1, 0, g->number(std::int64_t{-1}));
  const auto defects = check(lie_algebra(g, {{}, symbols(*g, {"a", "b", "c"})}, c));
  EXPECT_EQ(defects.algebroid_class, AlgebroidClass::almost_lie);
  EXPECT_GT(defects.jacobi, 0.1);
}

TEST(Axioms, HoldForAnInvolutiveConstraint) {
  auto g = std::make_shared<Graph>();
  const auto x = symbols(*g, {"x1", "x2", "x3"});
  const auto ambient = tangent(g, {x, symbols(*g, {"v1", "v2", "v3"})});
  const auto metric = read_matrix(*g, {{"2", "0", "0"}, {"0", "1", "1/3"}, {"0", "1/3", "1"}}, x);
  // Tangent to the level sets of x3 - x1^2/2.
  const auto leaves = constrained(ambient, symbols(*g, {"u1", "u2"}),
                                  read_matrix(*g, {{"1", "0", "x1"}, {"x2", "1 + x2^2", "x1*x2"}}, x), metric);
  EXPECT_EQ(check(leaves).algebroid_class, AlgebroidClass::lie);
}

TEST(Axioms, SkipPointsWhereTheAnchorIsNotFinite) {
  auto g = std::make_shared<Graph>();
  const auto x = symbols(*g, {"r"});
  const auto a = hamel(g, {x, symbols(*g, {"v"})}, read_matrix(*g, {{"sqrt(r)"}}, x));
  const std::vector<double> inside{0.1};
  const std::vector<double> outside{-5.0};
  EXPECT_GT(check_axioms(a, {}, {}, inside).points, 0U);
  EXPECT_THROW((void)check_axioms(a, {}, {}, outside), std::runtime_error);
}

TEST(Axioms, AreCheckedWithTheGivenParameters) {
  auto g = std::make_shared<Graph>();
  const auto x = symbols(*g, {"x"});
  const Expr k = g->symbol("k");
  StructureFunctions c(1, g->number(std::int64_t{0}));
  c.set(0, 0, 0, k);
  const auto a = custom(g, {x, symbols(*g, {"v"})}, Matrix(1, 1, g->number(std::int64_t{1})), c);
  const std::vector<Expr> parameters{k};
  const std::vector<double> centre{0};
  EXPECT_EQ(check_axioms(a, parameters, std::vector<double>{0}, centre).algebroid_class, AlgebroidClass::lie);
  EXPECT_EQ(check_axioms(a, parameters, std::vector<double>{0.5}, centre).algebroid_class, AlgebroidClass::general);
}

}  // namespace
