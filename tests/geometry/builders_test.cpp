#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "every_algebroid.hpp"
#include "herglotz/geometry/blocks.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/print.hpp"
#include "project_folders.hpp"

namespace {

using namespace herglotz::geometry;
using herglotz::symbolic::evaluate;
using nlohmann::json;
using samples::read;
using samples::read_matrix;
using samples::symbols;
using testing::HasSubstr;

json load(const std::string& name) {
  return json::parse(std::ifstream(herglotz::source_folder() + "/tests/reference/" + name + ".json"));
}

/// Every structure function equals the one that the reference case lists (zero where it lists none).
void expect_structure(const Algebroid& a, const json& data) {
  StructureFunctions expected(a.r(), a.graph->number(std::int64_t{0}));
  for (const auto& entry : data["algebroid"]["structure_functions"])
    expected.set(entry["c"].get<std::size_t>() - 1, entry["a"].get<std::size_t>() - 1,
                 entry["b"].get<std::size_t>() - 1, read(*a.graph, entry["value"].get<std::string>(), a.x));
  const std::vector<double> at(a.n(), 0.37);
  for (std::size_t k = 0; k < a.r(); ++k)
    for (std::size_t i = 0; i < a.r(); ++i)
      for (std::size_t j = 0; j < a.r(); ++j) {
        EXPECT_NEAR(evaluate(a.c(k, i, j), a.x, at), evaluate(expected(k, i, j), a.x, at), 1e-14)
            << "c^" << k + 1 << "_" << i + 1 << j + 1;
        EXPECT_EQ(a.c(k, i, j).is_zero(), expected(k, i, j).is_zero());
      }
}

Coordinates coordinates(const json& data, Graph& graph) {
  return {symbols(graph, data["coordinates"]["x"].get<std::vector<std::string>>()),
          symbols(graph, data["coordinates"]["y"].get<std::vector<std::string>>())};
}

// [ASC25, Ex. 3.8, 3.9].
TEST(Atiyah, BracketsAndCurvatureAgreeWithTheWongReference) {
  const auto data = load("wong_atiyah_so3_kinetic");
  auto g = std::make_shared<Graph>();
  const auto at = coordinates(data, *g);
  const auto rows = data["connection_A[i][A]"].get<std::vector<std::vector<std::string>>>();
  expect_structure(atiyah(g, at, group_structure(*g, "so3", 3), read_matrix(*g, rows, at.x)), data);
}

// [ASC25, Ex. 6.7]: A = (-B x2/2, B x1/2) has curvature B, and [e_1, e_2] = -B e_u.
TEST(Atiyah, AbelianConnectionGivesTheMagneticField) {
  const auto data = load("magnetic_S1_const");
  auto g = std::make_shared<Graph>();
  const auto at = coordinates(data, *g);
  expect_structure(atiyah(g, at, group_structure(*g, "abelian", 1), read_matrix(*g, {{"-3*x2/4"}, {"3*x1/4"}}, at.x)),
                   data);
}

// [ASC25, Ex. 3.5].
TEST(Hamel, PolarFrameHasTheTextbookBracket) {
  const auto data = load("hamel_polar_TR2");
  auto g = std::make_shared<Graph>();
  const auto at = coordinates(data, *g);
  const auto a = hamel(g, at, read_matrix(*g, {{"1", "0"}, {"0", "1/r"}}, at.x));
  expect_structure(a, data);
  EXPECT_EQ(herglotz::symbolic::print(a.c(1, 0, 1)), "-1/r");
}

TEST(Hamel, CoordinateFrameOfAnyScaleCommutes) {
  auto g = std::make_shared<Graph>();
  const auto x = symbols(*g, {"a", "b", "c"});
  const auto e = hamel(g, {x, symbols(*g, {"u", "v", "w"})},
                       read_matrix(*g, {{"2", "1", "0"}, {"0", "3", "0"}, {"1", "0", "5"}}, x));
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) EXPECT_TRUE(e.c(k, i, j).is_zero());
}

TEST(Hamel, FrameThatIsSingularEverywhereIsRefused) {
  auto g = std::make_shared<Graph>();
  const auto x = symbols(*g, {"a", "b"});
  try {
    (void)hamel(g, {x, symbols(*g, {"u", "v"})}, read_matrix(*g, {{"cos(a)", "sin(a)"}, {"cos(a)*b", "sin(a)*b"}}, x));
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_THAT(e.what(), HasSubstr("frame of a hamel algebroid: expected an invertible matrix"));
  }
}

/// Expects the same anchors and structure functions, in one graph.
void expect_same(const Algebroid& a, const Algebroid& b) {
  EXPECT_TRUE(a.rho.entries == b.rho.entries);
  EXPECT_TRUE(a.sigma.entries == b.sigma.entries);
  ASSERT_EQ(a.c.nonzero().size(), b.c.nonzero().size());
  for (const auto& [place, value] : a.c.nonzero()) {
    const auto& [k, i, j] = place;
    EXPECT_EQ(value, b.c(k, i, j)) << herglotz::symbolic::print(value) << " at " << k << ' ' << i << ' ' << j;
  }
}

// Frames and Lie algebras of hundreds of names that fall into small blocks are products of these, and take as long.
TEST(Hamel, FrameOfManyBlocksIsThatOfTheProductOfItsBlocks) {
  constexpr std::size_t blocks = 100;
  auto g = std::make_shared<Graph>();
  std::vector<Algebroid> factors;
  Coordinates all;
  Matrix frame(2 * blocks, 2 * blocks, g->number(0));
  for (std::size_t k = 0; k < blocks; ++k) {
    const std::string number = std::to_string(k);
    const auto x = symbols(*g, {"r" + number, "th" + number});
    const auto y = symbols(*g, {"u" + number, "w" + number});
    const Matrix own = read_matrix(*g, {{"1", "0"}, {"0", "1/" + std::string(x[0].name())}}, x);
    factors.push_back(hamel(g, {x, y}, own));
    all.x.insert(all.x.end(), x.begin(), x.end());
    all.y.insert(all.y.end(), y.begin(), y.end());
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) frame(2 * k + i, 2 * k + j) = own(i, j);
  }
  EXPECT_EQ(blocks_of(frame).size(), 2 * blocks);
  EXPECT_EQ(blocks_of(read_matrix(*g, {{"1", "0", "2"}, {"0", "1", "0"}, {"0", "0", "1"}}, {})),
            (std::vector<std::vector<std::size_t>>{{0, 2}, {1}}));
  const Algebroid whole = hamel(g, all, frame);
  EXPECT_EQ(whole.c.nonzero().size(), 2 * blocks);
  expect_same(whole, product(factors));
}

TEST(LieAlgebra, OfManyRotationsIsTheProductOfThem) {
  constexpr std::size_t bodies = 60;
  auto g = std::make_shared<Graph>();
  const auto rotations = group_structure(*g, "so3", 3);
  StructureFunctions c(3 * bodies, g->number(0));
  std::vector<Algebroid> factors;
  std::vector<Expr> names;
  for (std::size_t body = 0; body < bodies; ++body) {
    const std::string number = std::to_string(body);
    const auto y = symbols(*g, {"a" + number, "b" + number, "c" + number});
    names.insert(names.end(), y.begin(), y.end());
    factors.push_back(lie_algebra(g, {{}, y}, rotations));
    for (const auto& [place, value] : rotations.nonzero())
      c.set(3 * body + place[0], 3 * body + place[1], 3 * body + place[2], value);
  }
  const Algebroid whole = lie_algebra(g, {{}, names}, c);
  ASSERT_TRUE(whole.integration);
  expect_same(whole, product(factors));
  // A bracket between two bodies that leaves the others alone breaks Jacobi's identity.
  c.set(0, 1, 4, g->number(1));
  c.set(0, 4, 1, g->number(-1));
  EXPECT_FALSE(lie_algebra(g, {{}, names}, c).integration);
}

TEST(Groups, AgreeWithTheReferenceCases) {
  for (const auto& [group, file] :
       {std::pair{"se2", "se2_underwater_vehicle_eph"}, std::pair{"so3", "rigid_body_eph_asymmetric"}}) {
    const auto data = load(file);
    auto g = std::make_shared<Graph>();
    expect_structure(lie_algebra(g, coordinates(data, *g), group_structure(*g, group, 3)), data);
  }
}

/// Basis matrices of a group, to compute its brackets independently.
struct MatrixBasis {
  std::string group;
  std::size_t size;
  std::vector<std::vector<double>> basis;
};

std::vector<double> commutator(const std::vector<double>& a, const std::vector<double>& b, std::size_t n) {
  std::vector<double> m(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) m[i * n + j] += a[i * n + k] * b[k * n + j] - b[i * n + k] * a[k * n + j];
  return m;
}

std::vector<MatrixBasis> matrix_bases() {
  std::vector<std::vector<double>> se3(6, std::vector<double>(16, 0.0));
  for (std::size_t a = 0; a < 3; ++a) {
    se3[a][((a + 2) % 3) * 4 + (a + 1) % 3] = 1;
    se3[a][((a + 1) % 3) * 4 + (a + 2) % 3] = -1;
    se3[a + 3][a * 4 + 3] = 1;
  }
  return {{"so3", 3, {{0, 0, 0, 0, 0, -1, 0, 1, 0}, {0, 0, 1, 0, 0, 0, -1, 0, 0}, {0, -1, 0, 1, 0, 0, 0, 0, 0}}},
          {"se2", 3, {{0, -1, 0, 1, 0, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1, 0, 0, 0}}},
          {"se3", 4, se3},
          {"sl2", 2, {{1, 0, 0, -1}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
          {"heisenberg", 3, {{0, 1, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1, 0, 0, 0}, {0, 0, 1, 0, 0, 0, 0, 0, 0}}}};
}

TEST(Groups, StructureConstantsAreTheCommutatorsOfTheDocumentedMatrices) {
  for (const auto& [group, size, basis] : matrix_bases()) {
    Graph g;
    const auto c = group_structure(g, group, basis.size());
    for (std::size_t a = 0; a < basis.size(); ++a)
      for (std::size_t b = 0; b < basis.size(); ++b) {
        auto rest = commutator(basis[a], basis[b], size);
        for (std::size_t k = 0; k < basis.size(); ++k)
          for (std::size_t m = 0; m < rest.size(); ++m) rest[m] -= c(k, a, b).value() * basis[k][m];
        for (const double entry : rest) EXPECT_EQ(entry, 0) << group << " [" << a << ", " << b << "]";
      }
  }
}

TEST(Groups, UnknownNameOrWrongRankSaysWhatWouldBeRight) {
  Graph g;
  EXPECT_FALSE(group_dimension("so4", 6).has_value());
  EXPECT_EQ(group_dimension("abelian", 4), 4U);
  EXPECT_THROW((void)group_structure(g, "so4", 6), std::invalid_argument);
  try {
    (void)group_structure(g, "se3", 3);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "rank of the Lie algebra of se3: expected 6, got 3");
  }
}

TEST(Builders, RefuseShapesThatDoNotFit) {
  auto g = std::make_shared<Graph>();
  const auto x = symbols(*g, {"x1", "x2"});
  const auto y = symbols(*g, {"y1", "y2", "y3"});
  const auto zero = g->number(std::int64_t{0});
  EXPECT_THROW((void)tangent(g, {x, y}), std::invalid_argument);
  EXPECT_THROW((void)lie_algebra(g, {x, y}, group_structure(*g, "so3", 3)), std::invalid_argument);
  EXPECT_THROW((void)action(g, {x, y}, group_structure(*g, "so3", 3), Matrix(2, 3, zero)), std::invalid_argument);
  EXPECT_THROW((void)custom(g, {x, y}, Matrix(3, 2, zero), StructureFunctions(2, zero)), std::invalid_argument);
  EXPECT_THROW((void)product({}), std::invalid_argument);
  try {
    (void)atiyah(g, {x, y}, group_structure(*g, "abelian", 1), Matrix(1, 2, zero));
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "connection of an atiyah algebroid: expected a 2 x 1 matrix, got 1 x 2");
  }
}

TEST(Inverse, OfASymbolicMatrixIsTwoSided) {
  auto g = std::make_shared<Graph>();
  const auto s = symbols(*g, {"a", "b"});
  const auto m = read_matrix(
      *g, {{"a", "1", "0", "b"}, {"0", "2 + b", "a*b", "0"}, {"1", "0", "3", "0"}, {"b", "0", "sin(a)", "4"}}, s);
  const auto both = multiply(m, inverse(m, "matrix"));
  const auto value = evaluate(both.entries, s, std::vector<double>{0.7, -0.4});
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(value[i * 4 + j], i == j ? 1 : 0, 1e-14);
}

}  // namespace
