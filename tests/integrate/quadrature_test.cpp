#include "numerics/quadrature.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace herglotz::integrate {
namespace {

double moment_error(const Quadrature& rule, int k) {
  long double sum = 0;
  for (std::size_t i = 0; i < rule.c.size(); ++i) sum += rule.b[i] * std::pow(rule.c[i], k - 1.0L);
  return static_cast<double>(sum - 1.0L / k);
}

TEST(Quadrature, OfGaussIsExactToDegreeTwiceItsNodesLessOneAndNoFurther) {
  for (int n = 1; n <= 12; ++n) {
    const auto rule = gauss_quadrature(n);
    for (int k = 1; k <= 2 * n; ++k) EXPECT_NEAR(moment_error(rule, k), 0, 1e-17) << n << " nodes, B(" << k << ")";
    EXPECT_GT(std::abs(moment_error(rule, 2 * n + 1)), 1e-16) << n << " nodes";
  }
}

TEST(Quadrature, OfLobattoHoldsBothEndsAndIsExactToDegreeTwiceItsNodesLessThree) {
  for (int n = 2; n <= 12; ++n) {
    const auto rule = lobatto_quadrature(n);
    EXPECT_EQ(rule.c.front(), 0);
    EXPECT_EQ(rule.c.back(), 1);
    for (int k = 1; k <= 2 * n - 2; ++k) EXPECT_NEAR(moment_error(rule, k), 0, 1e-17) << n << " nodes, B(" << k << ")";
    EXPECT_GT(std::abs(moment_error(rule, 2 * n - 1)), 1e-16) << n << " nodes";
  }
}

TEST(Quadrature, CollocatesPolynomialsBelowTheNumberOfItsNodes) {
  for (const auto& rule : {gauss_quadrature(6), lobatto_quadrature(5), gauss_quadrature(16)}) {
    for (std::size_t i = 0; i < rule.c.size(); ++i) {
      for (int k = 1; k <= static_cast<int>(rule.c.size()); ++k) {
        long double sum = 0;
        for (std::size_t j = 0; j < rule.c.size(); ++j) sum += rule.A[i][j] * std::pow(rule.c[j], k - 1.0L);
        EXPECT_NEAR(static_cast<double>(sum - std::pow(rule.c[i], static_cast<long double>(k)) / k), 0, 1e-17)
            << rule.c.size() << " nodes, C(" << k << "), row " << i;
      }
    }
  }
}

TEST(Quadrature, RefusesNumbersOfNodesItDoesNotHave) {
  EXPECT_THROW(gauss_quadrature(0), std::invalid_argument);
  EXPECT_THROW(lobatto_quadrature(1), std::invalid_argument);
  EXPECT_THROW(gauss_quadrature(17), std::invalid_argument);
}

}  // namespace
}  // namespace herglotz::integrate
