#include "herglotz/symbolic/matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {
namespace {

class MatrixTest : public testing::Test {
 protected:
  Matrix numbers(std::size_t n, const std::vector<int>& entries) {
    Matrix m(n, entries.size() / n, graph.number(0));
    for (std::size_t i = 0; i < entries.size(); ++i) m.entries[i] = graph.number(entries[i]);
    return m;
  }

  Matrix symbols(const std::string& letter, std::size_t rows, std::size_t cols) {
    Matrix m(rows, cols, graph.number(0));
    for (std::size_t i = 0; i < m.entries.size(); ++i) m.entries[i] = graph.symbol(letter + std::to_string(i));
    return m;
  }

  bool has_select(const Matrix& m) {
    for (const NodeId id : graph.reachable(m.entries)) {
      if (graph.op(id) == Op::select) return true;
    }
    return false;
  }

  /// The largest entry of A X - B with the given values of all symbols.
  double residual(const Matrix& a, const Matrix& x, const Matrix& b, const std::vector<Expr>& names,
                  const std::vector<double>& values) {
    const Matrix product = multiply(a, x);
    double largest = 0;
    for (std::size_t i = 0; i < b.entries.size(); ++i) {
      largest = std::max(largest, std::abs(evaluate(product.entries[i] - b.entries[i], names, values)));
    }
    return largest;
  }

  std::mt19937_64 random{7};
  Graph graph;
};

TEST_F(MatrixTest, SolveInvertsRandomMatrices) {
  std::uniform_real_distribution<double> entry(-1, 1);
  for (std::size_t n = 1; n <= 6; ++n) {
    const Matrix a = symbols("a", n, n);
    const Matrix b = symbols("b", n, 2);
    const Matrix x = solve(a, b);
    std::vector<Expr> names = a.entries;
    names.insert(names.end(), b.entries.begin(), b.entries.end());
    for (int trial = 0; trial < 5; ++trial) {
      std::vector<double> values(names.size());
      for (double& value : values) value = entry(random);
      EXPECT_LT(residual(a, x, b, names, values), 1e-11) << n;
    }
  }
}

TEST_F(MatrixTest, SolvePivotsWhereALeadingValueIsZeroOrTiny) {
  const Matrix a = symbols("a", 3, 3);
  const Matrix b = symbols("b", 3, 1);
  const Matrix x = solve(a, b);
  std::vector<Expr> names = a.entries;
  names.insert(names.end(), b.entries.begin(), b.entries.end());
  EXPECT_LT(residual(a, x, b, names, {0, 1, 0, 0, 0, 1, 1, 0, 0, 3, 4, 5}), 1e-15);
  EXPECT_LT(residual(a, x, b, names, {1e-20, 1, 2, 1, 1, 1, 2, 1, 3, 1, 2, 3}), 1e-14);
  EXPECT_LT(residual(a, x, b, names, {2, 1, 0, 4, 2, 1, 0, 1, 1, 1, 2, 3}), 1e-14);
}

TEST_F(MatrixTest, SolveIsExactForRationalMatrices) {
  const Matrix a = numbers(3, {0, 2, 1, 1, 1, 1, 3, 0, 2});
  const Matrix x = solve(a, numbers(3, {7, 6, 9}));
  EXPECT_EQ(multiply(a, x).entries, numbers(3, {7, 6, 9}).entries);
  EXPECT_TRUE(x(0, 0).is_integer(1));
}

TEST_F(MatrixTest, AnExactlySingularMatrixIsRefused) {
  EXPECT_THROW(solve(numbers(2, {1, 2, 2, 4}), numbers(2, {1, 1})), std::invalid_argument);
  const Expr x = graph.symbol("x");
  Matrix a(2, 2, graph.number(0));
  a(0, 0) = x;
  a(1, 0) = x * x;
  EXPECT_THROW(solve(a, numbers(2, {1, 1})), std::invalid_argument);
}

TEST_F(MatrixTest, AMatrixSingularAtSomeValuesHasNoFiniteSolutionThere) {
  const Matrix a = symbols("a", 2, 2);
  const Matrix x = solve(a, numbers(2, {1, 3}));
  const auto values = evaluate(x.entries, a.entries, std::vector<double>{1, 2, 2, 4});
  EXPECT_FALSE(std::isfinite(values[0]));
}

TEST_F(MatrixTest, InOrderADefiniteMatrixIsSolvedAsWellAsWithExchangesOfRows) {
  std::uniform_real_distribution<double> entry(-1, 1);
  for (std::size_t n = 1; n <= 6; ++n) {
    const Matrix c = symbols("c", n, n);
    const Matrix b = symbols("b", n, 2);
    Matrix a = multiply(transpose(c), c);
    for (std::size_t i = 0; i < n; ++i) a(i, i) += graph.number(1);
    const auto ordered = solve_in_order(a, b);
    const Matrix exchanged = solve(a, b);
    EXPECT_FALSE(has_select(ordered.x));
    ASSERT_EQ(ordered.pivots.size(), n);
    std::vector<Expr> names = c.entries;
    names.insert(names.end(), b.entries.begin(), b.entries.end());
    for (int trial = 0; trial < 5; ++trial) {
      std::vector<double> values(names.size());
      for (double& value : values) value = entry(random);
      const auto found = evaluate(ordered.x.entries, names, values);
      const auto expected = evaluate(exchanged.entries, names, values);
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-13) << n;
      double product = 1;
      for (const double pivot : evaluate(ordered.pivots, names, values)) {
        EXPECT_GE(pivot, 1 - 1e-12) << "no pivot of A is below its least eigenvalue";
        product *= pivot;
      }
      const double det = evaluate(determinant(a), names, values);
      EXPECT_NEAR(product, det, 1e-12 * std::abs(det)) << n;
    }
  }
}

// [W, -P^T; P, 0] with a definite W: the pivots of the second block are those of P W^-1 P^T, which is definite too.
TEST_F(MatrixTest, InOrderASaddlePointMatrixIsSolvedAsWellAsWithExchangesOfRows) {
  std::uniform_real_distribution<double> entry(-1, 1);
  constexpr std::size_t r = 4;
  constexpr std::size_t m = 2;
  const Matrix c = symbols("c", r, r);
  const Matrix P = symbols("p", m, r);
  const Matrix b = symbols("b", r + m, 1);
  const Matrix gram = multiply(transpose(c), c);
  Matrix a(r + m, r + m, graph.number(0));
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j < r; ++j) a(i, j) = i == j ? gram(i, j) + 1.0 : gram(i, j);
    for (std::size_t k = 0; k < m; ++k) {
      a(i, r + k) = -P(k, i);
      a(r + k, i) = P(k, i);
    }
  }
  const auto ordered = solve_in_order(a, b);
  const Matrix exchanged = solve(a, b);
  EXPECT_FALSE(has_select(ordered.x));
  ASSERT_EQ(ordered.pivots.size(), r + m);
  std::vector<Expr> names = c.entries;
  names.insert(names.end(), P.entries.begin(), P.entries.end());
  names.insert(names.end(), b.entries.begin(), b.entries.end());
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<double> values(names.size());
    for (double& value : values) value = entry(random);
    const auto found = evaluate(ordered.x.entries, names, values);
    const auto expected = evaluate(exchanged.entries, names, values);
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-11 * (1 + std::abs(expected[i])));
    for (const double pivot : evaluate(ordered.pivots, names, values)) EXPECT_GT(pivot, 0);
  }
}

TEST_F(MatrixTest, InOrderThePivotsAreWhatEliminationLeavesOnTheDiagonal) {
  const auto ordered = solve_in_order(numbers(3, {2, 1, 0, 4, 5, 3, 0, 6, 1}), numbers(3, {1, 1, 1}));
  ASSERT_EQ(ordered.pivots.size(), 3u);
  EXPECT_TRUE(ordered.pivots[0].is_integer(2));
  EXPECT_TRUE(ordered.pivots[1].is_integer(3));
  EXPECT_TRUE(ordered.pivots[2].is_integer(-5));
}

TEST_F(MatrixTest, InOrderAZeroOnTheDiagonalIsRefusedThoughTheMatrixIsRegular) {
  const Matrix b = numbers(2, {1, 2});
  EXPECT_THROW((void)solve_in_order(numbers(2, {0, 1, 1, 0}), b), SingularMatrix);
  EXPECT_NO_THROW((void)solve(numbers(2, {0, 1, 1, 0}), b));
  // It may become zero on the way.
  EXPECT_THROW((void)solve_in_order(numbers(3, {1, 1, 0, 1, 1, 1, 0, 1, 0}), numbers(3, {1, 2, 3})), SingularMatrix);
  EXPECT_THROW((void)solve_in_order(numbers(2, {1, 2, 3, 4}), numbers(1, {1})), std::invalid_argument);
}

TEST_F(MatrixTest, DiagonalAndTriangularMatricesNeedNoSelect) {
  const Expr p = graph.symbol("p");
  const Expr q = graph.symbol("q");
  const Expr r = graph.symbol("r");
  const Expr u = graph.symbol("u");
  Matrix a(2, 2, graph.number(0));
  a(0, 0) = p;
  a(1, 1) = q;
  Matrix b(2, 1, u);
  EXPECT_EQ(solve(a, b)(1, 0), u / q);
  a(1, 0) = r;
  const Matrix x = solve(a, b);
  EXPECT_FALSE(has_select(x));
  const std::vector<double> values{2, 4, 3, 8};
  EXPECT_EQ(evaluate(x.entries, std::vector<Expr>{p, q, r, u}, values), (std::vector<double>{4, -1}));
}

TEST_F(MatrixTest, BlocksAreSolvedApart) {
  Matrix a(4, 4, graph.number(0));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      if (i / 2 == j / 2) a(i, j) = graph.symbol("a" + std::to_string(4 * i + j));
    }
  }
  const Matrix x = solve(a, symbols("b", 4, 1));
  EXPECT_FALSE(depends_on(x(0, 0), a(2, 2)));
  EXPECT_FALSE(depends_on(x(3, 0), a(0, 0)));
}

TEST_F(MatrixTest, TheDeterminantIsMultilinearAndExact) {
  EXPECT_TRUE(determinant(numbers(3, {2, 0, 1, 1, 3, 2, 1, 1, 4})).is_integer(18));
  EXPECT_TRUE(determinant(numbers(3, {0, 1, 0, 1, 0, 0, 0, 0, 1})).is_integer(-1));
  EXPECT_TRUE(determinant(numbers(3, {1, 2, 3, 4, 5, 6, 7, 8, 9})).is_zero());
  const Matrix a = symbols("a", 2, 2);
  EXPECT_EQ(determinant(a), a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0));
}

TEST_F(MatrixTest, TheDeterminantOfAProductIsTheProductOfDeterminants) {
  std::uniform_int_distribution<int> entry(-5, 5);
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<int> left(16);
    std::vector<int> right(16);
    for (int& e : left) e = entry(random);
    for (int& e : right) e = entry(random);
    const Matrix a = numbers(4, left);
    const Matrix b = numbers(4, right);
    EXPECT_EQ(determinant(multiply(a, b)), determinant(a) * determinant(b));
    EXPECT_EQ(determinant(transpose(a)), determinant(a));
  }
}

TEST_F(MatrixTest, TheIdentityIsNeutral) {
  const Matrix a = symbols("a", 3, 3);
  EXPECT_EQ(multiply(identity(graph, 3), a).entries, a.entries);
  EXPECT_EQ(solve(identity(graph, 3), a).entries, a.entries);
  EXPECT_EQ(transpose(transpose(a)).entries, a.entries);
}

TEST_F(MatrixTest, ShapesMustAgree) {
  EXPECT_THROW(multiply(numbers(2, {1, 2}), numbers(2, {1, 2})), std::invalid_argument);
  EXPECT_THROW(solve(numbers(2, {1, 2, 3, 4}), numbers(1, {1})), std::invalid_argument);
  EXPECT_THROW(determinant(numbers(1, {1, 2})), std::invalid_argument);
}

}  // namespace
}  // namespace herglotz::symbolic
