// Singular values and vectors.

#include "herglotz/linear/svd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace herglotz::linear {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// A matrix with the singular values 5 sqrt(5) and 0.
const Matrix dependent_columns{{5, 10}, {0, 0}};

TEST(SingularValues, AreKnownForRankOne) {
  const Vector values = singular_values(dependent_columns);
  EXPECT_NEAR(values[0], 5 * std::sqrt(5.0), 1e-14);
  EXPECT_NEAR(values[1], 0, 1e-15);
  EXPECT_EQ(singular_values(Matrix::Ones(2, 5)).size(), 2);
}

TEST(SingularValues, AreKnownForLargeMatrices) {
  // The second differences of n values that vanish at the ends have the eigenvalues 4 sin^2(pi k / (2 (n + 1))).
  const Eigen::Index n = 50;
  Matrix A = Matrix::Zero(n, n);
  A.diagonal().setConstant(2);
  A.diagonal(1).setConstant(-1);
  A.diagonal(-1).setConstant(-1);
  const Vector values = singular_values(A);
  for (Eigen::Index k = 0; k < n; ++k) {
    const double sine = std::sin(std::numbers::pi * static_cast<double>(n - k) / static_cast<double>(2 * (n + 1)));
    EXPECT_NEAR(values[k], 4 * sine * sine, 1e-13) << k;
  }
}

TEST(Svd, HasThinVectors) {
  const Matrix A{{1, 2}, {0, 1}, {-1, 4}};
  const Svd svd(A);
  ASSERT_EQ(svd.U().cols(), 2);
  EXPECT_TRUE((svd.U() * svd.values().asDiagonal() * svd.V().transpose()).isApprox(A, 1e-14));
  EXPECT_EQ(svd.values(), singular_values(A));
}

TEST(Svd, HasAllVectorsOfOneSide) {
  const Matrix A{{1, 2, 2}};
  const Matrix V = Svd(A, SingularVectors::all_right).V();
  ASSERT_EQ(V.cols(), 3);
  EXPECT_LT((A * V.rightCols(2)).cwiseAbs().maxCoeff(), 1e-15);
  const Matrix U = Svd(A.transpose(), SingularVectors::all_left).U();
  ASSERT_EQ(U.cols(), 3);
  EXPECT_LT((U.rightCols(2).transpose() * A.transpose()).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Svd, SolvesWithTheSmallestNorm) {
  const Svd svd(dependent_columns);
  EXPECT_EQ(svd.rank(), 1);
  // x1 + 2 x2 = 5 and 0 = 7: the shortest is (1, 2).
  EXPECT_TRUE(svd.solve(Vector{{25, 7}}).isApprox(Vector{{1, 2}}, 1e-14));
}

TEST(Svd, TakesSmallValuesAsZero) {
  const Vector diagonal{{1, 1e-6}};
  const Matrix A = diagonal.asDiagonal();
  EXPECT_EQ(Svd(A).rank(), 2);
  const Svd rough(A, SingularVectors::thin, 1e-3);
  EXPECT_EQ(rough.rank(), 1);
  EXPECT_EQ(rough.solve(Vector::Ones(2))[1], 0);
}

}  // namespace
}  // namespace herglotz::linear
