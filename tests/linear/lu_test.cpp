// Triangular factors with exchanges of rows, and of rows and columns.

#include <gtest/gtest.h>

#include "herglotz/linear/full_lu.hpp"
#include "herglotz/linear/partial_lu.hpp"

namespace herglotz::linear {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// A matrix without a pivot in its first place, of determinant 6.
const Matrix regular{{0, 2, 1}, {1, 0, 0}, {0, 1, -2.5}};
/// The third row is the sum of the others.
const Matrix dependent_rows{{1, 2, 3}, {0, 1, -1}, {1, 3, 2}};

TEST(PartialLu, SolvesForColumnsAndMatrices) {
  const PartialLu lu(regular);
  const Vector x{{1, -2, 4}};
  EXPECT_TRUE(lu.solve(regular * x).isApprox(x, 1e-15));
  const Matrix X{{1, 0}, {2, 5}, {-3, 1}};
  EXPECT_TRUE(lu.solve(regular * X).isApprox(X, 1e-15));
  EXPECT_TRUE(lu.solve((regular * X).col(1)).isApprox(X.col(1), 1e-15));
}

TEST(PartialLu, HasTheInverse) {
  EXPECT_TRUE((PartialLu(regular).inverse() * regular).isApprox(Matrix::Identity(3, 3), 1e-15));
}

TEST(PartialLu, HasItsFactors) {
  const PartialLu lu(regular);
  const Matrix L = lu.triangles().triangularView<Eigen::UnitLower>();
  const Matrix U = lu.triangles().triangularView<Eigen::Upper>();
  EXPECT_TRUE((L * U).isApprox(lu.order() * regular, 1e-15));
  EXPECT_NEAR(std::abs(lu.triangles().diagonal().prod()), 6, 1e-14);
}

TEST(PartialLu, TakesOtherMatrices) {
  PartialLu lu;
  EXPECT_EQ(lu.size(), 0);
  lu.compute(regular);
  EXPECT_EQ(lu.size(), 3);
  const PartialLu before = lu;
  lu.compute(2 * Matrix::Identity(2, 2));
  EXPECT_EQ(lu.size(), 2);
  EXPECT_EQ(lu.solve(Vector::Ones(2)), Vector::Constant(2, 0.5));
  // A copy keeps the factors that it has.
  EXPECT_EQ(before.size(), 3);
  EXPECT_EQ(before.solve(Vector::Ones(3)), PartialLu(regular).solve(Vector::Ones(3)));
}

TEST(PartialLu, EstimatesTheConditionOfDiagonalMatrices) {
  const Vector diagonal{{1, 1e-6, 100}};
  EXPECT_NEAR(PartialLu(diagonal.asDiagonal().toDenseMatrix()).reciprocal_condition(), 1e-8, 1e-20);
  EXPECT_EQ(PartialLu(Matrix::Zero(2, 2)).reciprocal_condition(), 0);
}

TEST(FullLu, SolvesForColumnsAndMatrices) {
  const FullLu lu(regular);
  EXPECT_TRUE(lu.is_invertible());
  EXPECT_EQ(lu.rank(), 3);
  const Matrix X{{1, 0}, {2, 5}, {-3, 1}};
  EXPECT_TRUE(lu.solve(regular * X).isApprox(X, 1e-15));
  EXPECT_TRUE(lu.solve(regular * X.col(0)).isApprox(X.col(0), 1e-15));
  EXPECT_TRUE((lu.inverse() * regular).isApprox(Matrix::Identity(3, 3), 1e-15));
}

TEST(FullLu, SeesDependentRows) {
  const FullLu lu(dependent_rows);
  EXPECT_FALSE(lu.is_invertible());
  EXPECT_EQ(lu.rank(), 2);
  // x = (-5, 1, 1) is what all rows take to 0.
  const Matrix kernel = lu.kernel();
  ASSERT_EQ(kernel.cols(), 1);
  EXPECT_NEAR(kernel(0, 0), -5 * kernel(1, 0), 1e-14);
  EXPECT_NEAR(kernel(2, 0), kernel(1, 0), 1e-15);
  // Equations that do not contradict each other have a solution nevertheless.
  const Vector b = dependent_rows * Vector::Ones(3);
  EXPECT_TRUE((dependent_rows * lu.solve(b)).isApprox(b, 1e-15));
}

TEST(FullLu, HasAnEmptyKernelForFullRank) {
  EXPECT_EQ(FullLu(regular).kernel().rows(), 3);
  EXPECT_EQ(FullLu(regular).kernel().cols(), 0);
}

TEST(FullLu, TakesPivotsBelowTheThresholdAsZero) {
  const Vector diagonal{{1, 1e-6, 100}};
  const Matrix matrix = diagonal.asDiagonal();
  EXPECT_EQ(FullLu(matrix).rank(), 3);
  EXPECT_EQ(FullLu(matrix, 1e-7).rank(), 2);
  EXPECT_EQ(FullLu(matrix, 0.1).rank(), 1);
  EXPECT_NEAR(FullLu(matrix).reciprocal_condition(), 1e-8, 1e-20);
}

}  // namespace
}  // namespace herglotz::linear
