#include "herglotz/symbolic/derivative.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {
namespace {

class DerivativeTest : public testing::Test {
 protected:
  /// Fourth-order central difference of f in the i-th symbol.
  double difference(Expr f, const std::vector<double>& at, std::size_t i) const {
    constexpr double kStep = 1e-3;
    const auto value = [&](double shift) {
      std::vector<double> moved = at;
      moved[i] += shift;
      return evaluate(f, symbols, moved);
    };
    return (8 * (value(kStep) - value(-kStep)) - (value(2 * kStep) - value(-2 * kStep))) / (12 * kStep);
  }

  std::vector<double> random_point() {
    std::uniform_real_distribution<double> inside(0.1, 0.9);
    return {inside(random), inside(random), inside(random)};
  }

  /// One function for every operation, smooth for arguments between 0.1 and 0.9.
  std::vector<Expr> every_operation() {
    const Expr half = x * y / 2.0;
    return {x + y * z,
            x * y * z * z,
            pow(x, 3) / y,
            pow(x + 0.1, -2.5) * y,
            pow(x, y + z),
            sqrt(x + y * y),
            exp(x * y),
            log(x + y),
            sin(x - y),
            cos(x * z),
            tan(half),
            asin(half),
            acos(half),
            atan(x / y),
            atan2(x + z, y - 2.0),
            sinh(x * y),
            cosh(x - z),
            tanh(x + y),
            abs(x - 2.0 * y - 3.0),
            sign(x + y) * z,
            select(x, x + 1.0, sin(x), y * y * z),
            select(x + 1.0, x, sin(x * z), y * y),
            pow(graph.let("a", x * y), 2) + sin(graph.let("b", z * x)),
            product(std::vector<Expr>{x, y, z, sin(x), cos(y), exp(z), x + y, y + z, z + x, x + 3.0, y + 3.0})};
  }

  std::mt19937_64 random{20240607};
  Graph graph;
  Expr x = graph.symbol("x");
  Expr y = graph.symbol("y");
  Expr z = graph.symbol("z");
  std::vector<Expr> symbols{x, y, z};
};

TEST_F(DerivativeTest, OfEveryOperationIsTheLimitOfDifferences) {
  for (const Expr f : every_operation()) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const Expr slope = derivative(f, symbols[i]);
      const auto at = random_point();
      const double expected = difference(f, at, i);
      EXPECT_NEAR(evaluate(slope, symbols, at), expected, 1e-6 * (1 + std::abs(expected)))
          << "operation " << static_cast<int>(f.op()) << ", symbol " << i;
    }
  }
}

TEST_F(DerivativeTest, IsTheTextbookOne) {
  EXPECT_EQ(derivative(pow(x, 3), x), 3.0 * pow(x, 2));
  EXPECT_EQ(derivative(sin(x * y), x), y * cos(x * y));
  EXPECT_EQ(derivative(exp(2.0 * x), x), 2.0 * exp(2.0 * x));
  EXPECT_EQ(derivative(log(x), x), 1.0 / x);
  EXPECT_EQ(derivative(sqrt(x), x), 0.5 * pow(x, -0.5));
  EXPECT_EQ(derivative(abs(x), x), sign(x));
  EXPECT_TRUE(derivative(sign(x), x).is_zero());
  EXPECT_TRUE(derivative(floor(x), x).is_zero());
  EXPECT_EQ(derivative(select(y, z, x * x, x), x), select(y, z, 2.0 * x, graph.number(1)));
  EXPECT_TRUE(derivative(sin(y), x).is_zero());
}

TEST_F(DerivativeTest, TheGradientCollectsThePartialDerivatives) {
  for (const Expr f : every_operation()) {
    const auto slopes = gradient(f, symbols);
    const auto at = random_point();
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const double expected = evaluate(derivative(f, symbols[i]), symbols, at);
      EXPECT_NEAR(evaluate(slopes[i], symbols, at), expected, 1e-13 * (1 + std::abs(expected)));
    }
  }
}

TEST_F(DerivativeTest, TheDirectionalDerivativeIsTheGradientAlongTheDirection) {
  const auto f = every_operation();
  const std::vector<Expr> v{y, graph.number(2), sin(x)};
  const auto along = directional_derivative(f, symbols, v);
  const auto at = random_point();
  for (std::size_t k = 0; k < f.size(); ++k) {
    const auto slopes = gradient(f[k], symbols);
    double expected = 0;
    for (std::size_t i = 0; i < 3; ++i) expected += evaluate(slopes[i] * v[i], symbols, at);
    EXPECT_NEAR(evaluate(along[k], symbols, at), expected, 1e-12 * (1 + std::abs(expected)));
  }
}

TEST_F(DerivativeTest, TheJacobianListsItsStructuralNonzerosInRowOrder) {
  const std::vector<Expr> few{x * x, y + z};
  const std::vector<Expr> many{x * x, y + z, sin(x), x * y, z};
  for (const auto& f : {few, many}) {
    const SparseMatrix jac = jacobian(f, symbols);
    ASSERT_EQ(jac.rows, f.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < f.size(); ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const Expr expected = derivative(f[i], symbols[j]);
        if (expected.is_zero()) continue;
        ASSERT_LT(next, jac.entries.size());
        EXPECT_EQ(jac.entries[next].row, i);
        EXPECT_EQ(jac.entries[next].col, j);
        EXPECT_EQ(jac.entries[next].value, expected);
        ++next;
      }
    }
    EXPECT_EQ(next, jac.entries.size());
  }
}

TEST_F(DerivativeTest, TheHessianIsSymmetricAndTheDerivativeOfTheDerivative) {
  for (const Expr f : every_operation()) {
    const Matrix h = to_dense(graph, hessian(f, symbols));
    const auto at = random_point();
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_EQ(h(i, j), h(j, i));
        const double expected = evaluate(derivative(derivative(f, symbols[i]), symbols[j]), symbols, at);
        EXPECT_NEAR(evaluate(h(i, j), symbols, at), expected, 1e-11 * (1 + std::abs(expected)));
      }
    }
  }
}

TEST_F(DerivativeTest, TheGradientOfASumOfUsesIsTheSumOfTheirGradients) {
  const Expr shared = sin(x) * y;
  const Expr f = shared * z + exp(shared) + pow(shared, 2);
  const auto at = random_point();
  const double s = std::sin(at[0]) * at[1];
  EXPECT_NEAR(evaluate(gradient(f, symbols)[0], symbols, at), (at[2] + std::exp(s) + 2 * s) * std::cos(at[0]) * at[1],
              1e-14);
}

TEST_F(DerivativeTest, OnlySymbolsAreVariables) {
  EXPECT_THROW(derivative(x * y, x * y), std::invalid_argument);
  Graph other;
  EXPECT_THROW(derivative(x, other.symbol("x")), std::invalid_argument);
}

/// Nodes of the velocity Hessian of the planar n-link pendulum's kinetic energy.
std::size_t hessian_size(std::size_t n) {
  Graph graph;
  Expr xdot = graph.number(0);
  Expr ydot = graph.number(0);
  Expr energy = graph.number(0);
  std::vector<Expr> omega;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string index = std::to_string(i);
    omega.push_back(graph.symbol("omega" + index));
    const Expr theta = graph.symbol("theta" + index);
    const Expr l = graph.symbol("l" + index);
    xdot += l * cos(theta) * omega.back();
    ydot += l * sin(theta) * omega.back();
    energy += graph.symbol("m" + index) * (pow(xdot, 2) + pow(ydot, 2)) / 2.0;
  }
  std::vector<Expr> outputs;
  for (const Entry& entry : hessian(energy, omega).entries) outputs.push_back(entry.value);
  return graph.reachable(outputs).size();
}

TEST(DerivativeSharing, ThePendulumsHessianGrowsWithTheSquareOfItsLinks) {
  EXPECT_LT(hessian_size(20), 10U * 20U * 20U);
  EXPECT_LT(hessian_size(40), 5U * hessian_size(20));
}

TEST(DerivativeSharing, ADoublingChainOfSharedSquaresStaysLinear) {
  Graph graph;
  const Expr x = graph.symbol("x");
  Expr f = x;
  for (int i = 0; i < 100; ++i) f = sin(f) * exp(f);
  const std::array slope{derivative(f, x), gradient(f, std::array{x})[0]};
  EXPECT_LT(graph.reachable(slope).size(), 3000U);
}

}  // namespace
}  // namespace herglotz::symbolic
