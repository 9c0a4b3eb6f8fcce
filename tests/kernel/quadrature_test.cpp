#include "herglotz/kernel/quadrature.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace herglotz::kernel {
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

TEST(Quadrature, OfRadauHoldsTheEndAndIsExactToDegreeTwiceItsNodesLessTwo) {
  for (int n = 1; n <= 12; ++n) {
    const auto rule = radau_quadrature(n);
    EXPECT_EQ(rule.c.back(), 1);
    for (int k = 1; k <= 2 * n - 1; ++k) EXPECT_NEAR(moment_error(rule, k), 0, 1e-17) << n << " nodes, B(" << k << ")";
    EXPECT_GT(std::abs(moment_error(rule, 2 * n)), 1e-16) << n << " nodes";
  }
}

long double legendre(int degree, long double x) {
  long double before = 1;
  long double value = degree == 0 ? 1 : x;
  for (int k = 1; k < degree; ++k) {
    const long double next = ((2 * k + 1) * x * value - k * before) / (k + 1);
    before = value;
    value = next;
  }
  return value;
}

// M. Abramowitz, I. Stegun, Handbook of Mathematical Functions (1964), Eq. 25.4.29 with (1 - x^2) P_n' = n P_{n-1} at a
// root of P_n, and Eq. 25.4.32, both on an interval of length 1.
TEST(Quadrature, HasTheNodesAndWeightsOfLegendrePolynomials) {
  for (int n = 1; n <= 16; ++n) {
    const auto gauss = gauss_quadrature(n);
    for (std::size_t i = 0; i < gauss.c.size(); ++i) {
      const long double x = 2 * gauss.c[i] - 1;
      const long double before = legendre(n - 1, x);
      EXPECT_NEAR(static_cast<double>(legendre(n, x)), 0, 1e-17) << n << " nodes";
      EXPECT_NEAR(static_cast<double>(gauss.b[i] * n * n * before * before / (1 - x * x)), 1, 1e-16) << n << " nodes";
    }
    if (n == 1) continue;
    const auto lobatto = lobatto_quadrature(n);
    for (std::size_t i = 0; i < lobatto.c.size(); ++i) {
      const long double value = legendre(n - 1, 2 * lobatto.c[i] - 1);
      EXPECT_NEAR(static_cast<double>(lobatto.b[i] * n * (n - 1) * value * value), 1, 1e-16) << n << " nodes";
    }
  }
}

// The closed forms of E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, II.1.3.
TEST(Quadrature, IsRoundedToTheNearestDoubles) {
  const auto gauss = rounded<2>(gauss_quadrature(2));
  EXPECT_EQ(gauss.c[0], static_cast<double>(0.5L - std::sqrt(3.0L) / 6));
  EXPECT_EQ(gauss.b[0], 0.5);
  EXPECT_EQ(gauss.A[0][0], 0.25);
  EXPECT_EQ(gauss.A[0][1], static_cast<double>(0.25L - std::sqrt(3.0L) / 6));
  const auto lobatto = rounded<3>(lobatto_quadrature(3));
  EXPECT_EQ(lobatto.c[1], 0.5);
  EXPECT_EQ(lobatto.b[1], 2.0 / 3);
  EXPECT_EQ(lobatto.A[1][2], -1.0 / 24);
  // E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, Table IV.5.6.
  const auto radau = rounded<3>(radau_quadrature(3));
  EXPECT_EQ(radau.c[0], static_cast<double>((4 - std::sqrt(6.0L)) / 10));
  EXPECT_EQ(radau.b[2], 1.0 / 9);
  EXPECT_EQ(radau.A[2], radau.b);
  EXPECT_EQ(radau.A[1][0], static_cast<double>((296 + 169 * std::sqrt(6.0L)) / 1800));
}

TEST(Quadrature, CollocatesPolynomialsBelowTheNumberOfItsNodes) {
  for (const auto& rule :
       {gauss_quadrature(6), lobatto_quadrature(5), gauss_quadrature(16), radau_quadrature(3), radau_quadrature(9)}) {
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
  EXPECT_THROW(radau_quadrature(0), std::invalid_argument);
  EXPECT_THROW(gauss_quadrature(17), std::invalid_argument);
}

}  // namespace
}  // namespace herglotz::kernel
