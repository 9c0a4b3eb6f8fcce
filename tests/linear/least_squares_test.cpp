// Solutions of least squares with the smallest norm.

#include "herglotz/linear/least_squares.hpp"

#include <gtest/gtest.h>

namespace herglotz::linear {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

TEST(LeastSquares, TakesTheMeanOfContradictions) {
  const Matrix A = Matrix::Ones(3, 1);
  const Vector b{{1, 2, 6}};
  EXPECT_NEAR(least_squares(A, b)[0], 3, 1e-15);
}

TEST(LeastSquares, TakesTheShortestOfManySolutions) {
  const Matrix A{{1, 2, 2}};
  const Vector b = Vector::Constant(1, 9);
  EXPECT_TRUE(least_squares(A, b).isApprox(Vector{{1, 2, 2}}, 1e-15));
}

TEST(LeastSquares, DoesBothIfTheRankIsNotFull) {
  // x1 + x2 = 1 and x1 + x2 = 3: the nearest is x1 + x2 = 2, and (1, 1) is the shortest with that.
  const Matrix A = Matrix::Ones(2, 2);
  const Vector b{{1, 3}};
  EXPECT_TRUE(least_squares(A, b).isApprox(Vector::Ones(2), 1e-15));
  const Matrix B{{1, 2}, {3, 6}};
  EXPECT_TRUE(least_squares(A, B).isApprox(Matrix{{1, 2}, {1, 2}}, 1e-15));
}

TEST(LeastSquares, TakesSmallPivotsAsZero) {
  const Vector diagonal{{1, 1e-6}};
  const Matrix A = diagonal.asDiagonal();
  EXPECT_NEAR(least_squares(A, Vector::Ones(2))[1], 1e6, 1e-8);
  EXPECT_EQ(least_squares(A, Vector::Ones(2), 1e-3)[1], 0);
}

TEST(PseudoInverse, IsKnownForRankOne) {
  const Matrix A{{1, 1}, {1, 1}};
  EXPECT_TRUE(pseudo_inverse(A).isApprox(A / 4, 1e-15));
  const Matrix wide{{3, 4}};
  EXPECT_TRUE(pseudo_inverse(wide).isApprox(wide.transpose() / 25, 1e-15));
}

TEST(CompleteOrthogonal, HasAnOrthonormalKernel) {
  const Matrix A{{1, 0, 2, 1}, {0, 1, -1, 0}, {1, 1, 1, 1}};  // row 3 is the sum of the others
  const CompleteOrthogonal factors(A);
  EXPECT_EQ(factors.rank(), 2);
  const Matrix kernel = factors.kernel();
  ASSERT_EQ(kernel.cols(), 2);
  EXPECT_LT((A * kernel).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_TRUE((kernel.transpose() * kernel).isApprox(Matrix::Identity(2, 2), 1e-15));
  EXPECT_EQ(CompleteOrthogonal(Matrix::Identity(2, 2)).kernel().cols(), 0);
}

}  // namespace
}  // namespace herglotz::linear
