// Orthonormal and triangular factors.

#include "herglotz/linear/qr.hpp"

#include <gtest/gtest.h>

namespace herglotz::linear {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

TEST(HouseholderQr, HasItsFactors) {
  const Matrix tall{{3, 1}, {4, 2}, {0, 5}};
  for (const Matrix& A : {tall, Matrix(tall.transpose()), Matrix(tall * tall.transpose())}) {
    const HouseholderQr qr(A);
    const Eigen::Index k = std::min(A.rows(), A.cols());
    ASSERT_EQ(qr.Q().cols(), k);
    ASSERT_EQ(qr.R().rows(), k);
    EXPECT_TRUE((qr.Q().transpose() * qr.Q()).isApprox(Matrix::Identity(k, k), 1e-15));
    EXPECT_TRUE((qr.Q() * qr.R()).isApprox(A, 1e-14));
    EXPECT_TRUE(qr.R().isUpperTriangular(0));
  }
  EXPECT_NEAR(std::abs(HouseholderQr(tall).R()(0, 0)), 5, 1e-15);
}

TEST(HouseholderQr, HasNoColumnsWithoutColumns) {
  const HouseholderQr qr(Matrix(3, 0));
  EXPECT_EQ(qr.Q().rows(), 3);
  EXPECT_EQ(qr.Q().cols(), 0);
}

TEST(PivotedQr, BeginsWithTheLongestColumn) {
  const Matrix A{{1, 0, 0}, {0, 0, 2}, {0, 3, 0}};
  const PivotedQr qr(A);
  EXPECT_EQ(qr.columns(), (std::vector<Eigen::Index>{1, 2, 0}));
  EXPECT_TRUE(qr.pivots().cwiseAbs().isApprox(Vector{{3, 2, 1}}, 1e-15));
  EXPECT_EQ(qr.rank(), 3);
  EXPECT_EQ(PivotedQr(A, 0.5).rank(), 2);
}

TEST(PivotedQr, HasTheComplementOfDependentColumns) {
  const Matrix A{{1, 2}, {1, 2}, {0, 0}};
  const PivotedQr qr(A);
  EXPECT_EQ(qr.rank(), 1);
  const Matrix complement = qr.complement();
  ASSERT_EQ(complement.cols(), 2);
  EXPECT_LT((A.transpose() * complement).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_TRUE((complement.transpose() * complement).isApprox(Matrix::Identity(2, 2), 1e-15));
}

TEST(NullSpace, IsWhatTheRowsTakeToZero) {
  const Matrix A{{1, 2, 3}, {2, 4, 6}};
  const Matrix basis = null_space(A);
  ASSERT_EQ(basis.cols(), 2);
  EXPECT_LT((A * basis).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_TRUE((basis.transpose() * basis).isApprox(Matrix::Identity(2, 2), 1e-15));
  EXPECT_EQ(null_space(Matrix::Identity(3, 3)).cols(), 0);
}

}  // namespace
}  // namespace herglotz::linear
