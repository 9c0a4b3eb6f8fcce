// Eigenvalues, and the exponential that has theirs.

#include "herglotz/linear/eigenvalues.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/linear/matrix_exponential.hpp"

namespace herglotz::linear {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

TEST(Eigenvalues, OfADampedOscillatorAreAPair) {
  const Matrix A{{0, 1}, {-5, -2}};  // lambda^2 + 2 lambda + 5 = 0
  const Eigen::VectorXcd values = eigenvalues(A);
  EXPECT_NEAR(values[0].real(), -1, 1e-14);
  EXPECT_NEAR(std::abs(values[0].imag()), 2, 1e-14);
  EXPECT_EQ(values[1], std::conj(values[0]));
}

TEST(Eigenvalues, OfSymmetricMatricesRise) {
  const Matrix A{{2, 1}, {1, 2}};
  EXPECT_TRUE(symmetric_eigenvalues(A).isApprox(Vector{{1, 3}}, 1e-15));
}

TEST(Eigenvalues, OfPairsAreThoseOfOscillations) {
  // Two masses 2 and 1 on springs: stiffness x = lambda mass x.
  const Matrix stiffness{{3, -1}, {-1, 1}};
  const Matrix mass{{2, 0}, {0, 1}};
  // det(stiffness - lambda mass) = 2 lambda^2 - 5 lambda + 2.
  EXPECT_TRUE(symmetric_eigenvalues(stiffness, mass).isApprox(Vector{{0.5, 2}}, 1e-14));
}

TEST(MatrixExponential, TurnsByAnAngle) {
  const Matrix J{{0, -1}, {1, 0}};
  const Matrix turned{{std::cos(0.7), -std::sin(0.7)}, {std::sin(0.7), std::cos(0.7)}};
  EXPECT_TRUE(matrix_exponential(0.7 * J).isApprox(turned, 1e-15));
}

TEST(MatrixExponential, OfNilpotentMatricesIsAPolynomial) {
  const Matrix N{{0, 1, 2}, {0, 0, 3}, {0, 0, 0}};
  EXPECT_TRUE(matrix_exponential(N).isApprox(Matrix::Identity(3, 3) + N + N * N / 2, 1e-15));
}

}  // namespace
}  // namespace herglotz::linear
