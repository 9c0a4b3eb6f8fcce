// Action groupoids that algebroids integrate to.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "every_algebroid.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace {

using namespace herglotz::geometry;
using herglotz::symbolic::evaluate;
using samples::every_algebroid;
using samples::read_matrix;
using samples::symbols;

/// Custom algebroids with constant brackets: so(3) on R^3, which is Lie, and three that each miss one axiom of it.
samples::Kind custom_rotations(const std::string& name, const std::string& sign, const std::string& right,
                               const std::string& defect) {
  auto g = std::make_shared<Graph>();
  const auto x = symbols(*g, {"x1", "x2", "x3"});
  const auto generators = [&](const std::string& s) {
    return read_matrix(
        *g, {{"0", s + "x3", "-(" + s + "x2)"}, {"-(" + s + "x3)", "0", s + "x1"}, {s + "x2", "-(" + s + "x1)", "0"}},
        x);
  };
  auto c = group_structure(*g, "so3", 3);
  c.set(0, 0, 0, c(0, 0, 0) + samples::read(*g, defect, x));
  return {name, custom(g, {x, symbols(*g, {"y1", "y2", "y3"})}, generators(sign), c, generators(right))};
}

/// A bracket on a point that is skew but no Lie bracket.
samples::Kind without_jacobi() {
  auto g = std::make_shared<Graph>();
  auto c = group_structure(*g, "so3", 3);
  c.set(0, 0, 1, c(0, 0, 1) + g->number(1));
  c.set(0, 1, 0, c(0, 1, 0) - g->number(1));
  return {"custom_without_jacobi", custom(g, {{}, symbols(*g, {"y1", "y2", "y3"})}, Matrix{}, c)};
}

std::vector<samples::Kind> all() {
  auto list = every_algebroid();
  list.push_back(custom_rotations("custom_rotations", "1*", "1*", "0"));
  list.push_back(custom_rotations("custom_of_wrong_sign", "-1*", "-1*", "0"));
  list.push_back(custom_rotations("custom_with_two_anchors", "1*", "2*", "0"));
  list.push_back(custom_rotations("custom_not_skew", "1*", "1*", "1/5"));
  list.push_back(custom_rotations("custom_with_changing_bracket", "1*", "1*", "x1/5"));
  list.push_back(without_jacobi());
  {
    // Frames of the plane, and of the leaves x3 - x1 x2 = const., whose brackets are functions.
    auto g = std::make_shared<Graph>();
    const auto x = symbols(*g, {"x1", "x2", "x3"});
    const auto frame =
        hamel(g, {{x[0], x[1]}, symbols(*g, {"a1", "a2"})}, read_matrix(*g, {{"1", "x2"}, {"x1", "2 + x1"}}, x));
    list.push_back(
        {"custom_frame", custom(g, {{x[0], x[1]}, symbols(*g, {"y1", "y2"})}, transpose(frame.rho), frame.c)});
    const auto space = tangent(g, {x, symbols(*g, {"v1", "v2", "v3"})});
    const Matrix span = read_matrix(*g, {{"1 + x2^2", "0", "x2*(1 + x2^2)"}, {"x3", "1", "x1 + x2*x3"}}, x);
    list.push_back({"constrained_to_leaves",
                    constrained(space, symbols(*g, {"u1", "u2"}), span, herglotz::symbolic::identity(*g, 3))});
    // The leaves x1 = const., on which x2 and x3 are the coordinates: [e_1, e_2] by hand.
    const Matrix fields = read_matrix(*g, {{"0", "x3", "1"}, {"0", "0", "x2 + 1"}}, x);
    StructureFunctions c(2, g->number(0));
    const Expr first = -(x[1] + 1.0) / x[2];
    const Expr second = (x[2] - first) / (x[1] + 1.0);
    c.set(0, 0, 1, first);
    c.set(0, 1, 0, -first);
    c.set(1, 0, 1, second);
    c.set(1, 1, 0, -second);
    list.push_back({"custom_leaves", custom(g, {x, symbols(*g, {"w1", "w2"})}, fields, c)});
    // The frame (f e_1, e_2) of the affine group of the line, which moves x1 alone: [f e_1, e_2] = f e_2.
    const Expr f = samples::read(*g, "exp(x1) + x1^2 + 1", x);
    StructureFunctions scaled(2, g->number(0));
    scaled.set(1, 0, 1, f);
    scaled.set(1, 1, 0, -f);
    Matrix moving(2, 1, g->number(0));
    moving(0, 0) = f;
    list.push_back({"custom_scaled", custom(g, {{x[0]}, symbols(*g, {"s1", "s2"})}, moving, scaled)});
  }
  {
    // A frame, a connection and a group in one product.
    auto g = std::make_shared<Graph>();
    const auto x = symbols(*g, {"r", "th", "x1", "x2"});
    const auto polar =
        hamel(g, {{x[0], x[1]}, symbols(*g, {"y1", "y2"})}, read_matrix(*g, {{"1", "0"}, {"0", "1/r"}}, x));
    const auto wong =
        atiyah(g, {{x[2], x[3]}, symbols(*g, {"u1", "u2", "v1", "v2", "v3"})}, group_structure(*g, "sl2", 3),
               read_matrix(*g, {{"x2", "1", "x1*x2"}, {"x1^2", "x2", "0"}}, x));
    const auto body = lie_algebra(g, {{}, symbols(*g, {"w1", "w2", "w3"})}, group_structure(*g, "so3", 3), "so3");
    list.push_back({"product_of_three", product({polar, wong, body})});
  }
  return list;
}

std::vector<samples::Kind> integrated() {
  auto list = all();
  list.erase(std::remove_if(list.begin(), list.end(), [](const auto& kind) { return !kind.algebroid.integration; }),
             list.end());
  return list;
}

/// Those with a group that has a name, as model files build them.
std::vector<samples::Kind> named() {
  std::vector<samples::Kind> list;
  for (const auto name : group_names()) {
    const std::string group(name);
    const std::size_t d = *group_dimension(name, 2);
    const auto g = std::make_shared<Graph>();
    std::vector<std::string> fibre;
    for (std::size_t a = 0; a < d; ++a) fibre.push_back("y" + std::to_string(a + 1));
    const auto c = group_structure(*g, name, d);
    const auto y = symbols(*g, fibre);
    list.push_back({"algebra_" + group, lie_algebra(g, {{}, y}, c, name)});
    list.push_back({"action_" + group, action(g, {symbols(*g, {"x"}), y}, c, Matrix(d, 1, g->number(0)), name)});
    auto velocities = y;
    velocities.insert(velocities.begin(), g->symbol("v"));
    list.push_back(
        {"atiyah_" + group, atiyah(g, {symbols(*g, {"x"}), velocities}, c, Matrix(1, d, g->symbol("x")), name)});
    const auto line = tangent(g, {symbols(*g, {"s"}), symbols(*g, {"u"})});
    list.push_back({"product_" + group, product({line, list[list.size() - 3].algebroid})});
  }
  return list;
}

class AnyAlgebroid : public testing::TestWithParam<samples::Kind> {};
class EveryIntegration : public testing::TestWithParam<samples::Kind> {};
class EveryNamedGroup : public testing::TestWithParam<samples::Kind> {};

TEST_P(AnyAlgebroid, HasAGroupoidWhereItIsLieInAFrameOfConstantBrackets) {
  const std::set<std::string> unknown{"general",
                                      "constrained",
                                      "custom_of_wrong_sign",
                                      "custom_with_two_anchors",
                                      "custom_not_skew",
                                      "custom_with_changing_bracket",
                                      "custom_without_jacobi"};
  EXPECT_EQ(GetParam().algebroid.integration.has_value(), unknown.count(GetParam().name) == 0);
}

// rho' = rho B, and [e'_b, e'_c] = (B^i_b B^j_c c^k_ij + rho'_b(B^k_c) - rho'_c(B^k_b)) e_k for e'_b = B^a_b e_a.
TEST_P(EveryIntegration, IsTheAlgebroidInItsFrame) {
  const Algebroid& e = GetParam().algebroid;
  const Integration& known = *e.integration;
  const Matrix& B = known.frame;
  const std::size_t r = e.r();
  ASSERT_EQ(B.rows, r);
  ASSERT_EQ(B.cols, r);
  ASSERT_EQ(known.c.rank(), r);
  const Matrix inverted = inverse(B, "frame of an integration");
  const Expr zero = e.graph->number(0);
  std::vector<Expr> defects;
  for (std::size_t i = 0; i < e.n(); ++i)
    for (std::size_t b = 0; b < r; ++b) {
      Expr anchor = zero;
      for (std::size_t a = 0; a < r; ++a) anchor += e.rho(i, a) * B(a, b);
      defects.push_back(anchor - known.rho(i, b));
    }
  const auto along = [&](std::size_t b, const Expr& f) {
    Expr total = zero;
    for (std::size_t i = 0; i < e.n(); ++i) total += known.rho(i, b) * derivative(f, e.x[i]);
    return total;
  };
  for (std::size_t b = 0; b < r; ++b)
    for (std::size_t c = 0; c < r; ++c) {
      std::vector<Expr> bracket;
      for (std::size_t k = 0; k < r; ++k) {
        Expr component = along(b, B(k, c)) - along(c, B(k, b));
        for (std::size_t i = 0; i < r; ++i)
          for (std::size_t j = 0; j < r; ++j) component += B(i, b) * B(j, c) * e.c(k, i, j);
        bracket.push_back(component);
      }
      for (std::size_t d = 0; d < r; ++d) {
        Expr component = -known.c(d, b, c);
        for (std::size_t k = 0; k < r; ++k) component += inverted(d, k) * bracket[k];
        defects.push_back(component);
      }
    }
  std::mt19937 random(11);
  std::uniform_real_distribution<double> coordinate(0.4, 1.2);
  for (int point = 0; point < 10; ++point) {
    std::vector<double> at(e.n());
    for (double& x : at) x = coordinate(random);
    for (const double defect : evaluate(defects, e.x, at)) ASSERT_NEAR(defect, 0, 1e-12);
  }
}

TEST_P(EveryIntegration, HasConstantStructureFunctions) {
  const Algebroid& e = GetParam().algebroid;
  const auto& c = e.integration->c;
  for (std::size_t k = 0; k < c.rank(); ++k)
    for (std::size_t i = 0; i < c.rank(); ++i)
      for (std::size_t j = 0; j < c.rank(); ++j)
        for (const Expr& x : e.x) EXPECT_FALSE(herglotz::symbolic::depends_on(c(k, i, j), x));
}

// A factor named by its group has that group's structure constants, and none with other factors.
TEST_P(EveryNamedGroup, HasTheStructureOfItsName) {
  const Algebroid& e = GetParam().algebroid;
  ASSERT_TRUE(e.integration);
  ASSERT_FALSE(e.integration->factors.empty());
  StructureFunctions named(e.r(), e.graph->number(0));
  std::size_t covered = 0;
  for (const GroupFactor& factor : e.integration->factors) {
    EXPECT_EQ(factor.first, covered);
    covered += factor.size;
    const auto c = group_structure(*e.graph, factor.group, factor.size);
    for (std::size_t k = 0; k < factor.size; ++k)
      for (std::size_t i = 0; i < factor.size; ++i)
        for (std::size_t j = 0; j < factor.size; ++j)
          named.set(factor.first + k, factor.first + i, factor.first + j, c(k, i, j));
  }
  EXPECT_EQ(covered, e.r());
  for (std::size_t k = 0; k < e.r(); ++k)
    for (std::size_t i = 0; i < e.r(); ++i)
      for (std::size_t j = 0; j < e.r(); ++j)
        EXPECT_EQ(named(k, i, j), e.integration->c(k, i, j)) << k << " " << i << " " << j;
}

const auto name_of = [](const auto& given) { return given.param.name; };
INSTANTIATE_TEST_SUITE_P(Integration, AnyAlgebroid, testing::ValuesIn(all()), name_of);
INSTANTIATE_TEST_SUITE_P(Kinds, EveryIntegration, testing::ValuesIn(integrated()), name_of);
INSTANTIATE_TEST_SUITE_P(Groups, EveryNamedGroup, testing::ValuesIn(named()), name_of);

TEST(Integration, OfAProductNeedsOneOfEveryFactor) {
  auto g = std::make_shared<Graph>();
  const auto body = lie_algebra(g, {{}, symbols(*g, {"w1", "w2", "w3"})}, group_structure(*g, "so3", 3), "so3");
  StructureFunctions none(1, g->number(0));
  none.set(0, 0, 0, g->number(1));
  const auto general = custom(g, {{}, symbols(*g, {"y1"})}, Matrix{}, none);
  EXPECT_TRUE(product({body, body}).integration);
  EXPECT_FALSE(product({body, general}).integration);
}

TEST(Integration, IsNotClaimedWithoutTheJacobiIdentityOrAHomomorphicAnchor) {
  auto g = std::make_shared<Graph>();
  const auto w = symbols(*g, {"w1", "w2", "w3"});
  auto broken = group_structure(*g, "so3", 3);
  broken.set(0, 0, 1, g->number(1));
  broken.set(0, 1, 0, g->number(-1));
  EXPECT_FALSE(lie_algebra(g, {{}, w}, broken).integration);
  const auto x = symbols(*g, {"x1", "x2", "x3"});
  const auto turns = read_matrix(*g, {{"0", "x3", "-x2"}, {"-x3", "0", "x1"}, {"x2", "-x1", "0"}}, x);
  EXPECT_TRUE(action(g, {x, w}, group_structure(*g, "so3", 3), turns).integration);
  Matrix backwards = turns;
  for (Expr& entry : backwards.entries) entry = -entry;
  EXPECT_FALSE(action(g, {x, w}, group_structure(*g, "so3", 3), backwards).integration);
  const auto v = symbols(*g, {"v", "u1", "u2", "u3"});
  const auto line = symbols(*g, {"s"});
  EXPECT_FALSE(atiyah(g, {line, v}, broken, read_matrix(*g, {{"s", "0", "1"}}, line)).integration);
}

TEST(Integration, OfAProductNamesItsGroupsOrNone) {
  auto g = std::make_shared<Graph>();
  const auto line = tangent(g, {symbols(*g, {"x"}), symbols(*g, {"v"})});
  const auto body = lie_algebra(g, {{}, symbols(*g, {"w1", "w2", "w3"})}, group_structure(*g, "so3", 3), "so3");
  const auto unnamed = lie_algebra(g, {{}, symbols(*g, {"u1", "u2", "u3"})}, group_structure(*g, "so3", 3));
  const auto both = product({line, body});
  ASSERT_EQ(both.integration->factors.size(), 2U);
  EXPECT_EQ(both.integration->factors[1].group, "so3");
  EXPECT_EQ(both.integration->factors[1].first, 1U);
  EXPECT_TRUE(product({line, unnamed}).integration->factors.empty());
}

// Sums over all structure functions would have r^5 terms, and take minutes.
TEST(Integration, OfLargeLieAlgebrasIsFoundByTheirBracketsThatAreNotZero) {
  auto g = std::make_shared<Graph>();
  constexpr std::size_t r = 96;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < r; ++k) names.push_back("w" + std::to_string(k));
  const auto w = symbols(*g, names);
  StructureFunctions c(r, g->number(std::int64_t{0}));
  EXPECT_TRUE(lie_algebra(g, {{}, w}, c).integration);
  const auto bracket = [&](std::size_t i, std::size_t j, std::size_t k) {
    c.set(k, i, j, g->number(std::int64_t{1}));
    c.set(k, j, i, -g->number(std::int64_t{1}));
  };
  bracket(r - 3, r - 2, r - 1);
  bracket(r - 2, r - 1, r - 3);
  bracket(r - 1, r - 3, r - 2);
  EXPECT_TRUE(lie_algebra(g, {{}, w}, c).integration);
  bracket(0, r - 1, 1);
  EXPECT_FALSE(lie_algebra(g, {{}, w}, c).integration);
}

}  // namespace
