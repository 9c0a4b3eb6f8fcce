// The eliminations behind every implicit step: single systems and lanes.

#include "numerics/elimination.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <random>
#include <vector>

#include "integrate/two_lanes.hpp"
#include "numerics/lane_lu.hpp"

namespace herglotz::integrate {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Two = Pack<2>;

Matrix random_matrix(Eigen::Index n, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Matrix matrix(n, n);
  for (double& entry : matrix.reshaped()) entry = uniform(engine);
  return matrix;
}

/// A matrix whose pivots all lie off the diagonal: rows in reverse order, and small numbers where pivots would be.
Matrix with_pivots_elsewhere(Eigen::Index n, unsigned seed) {
  Matrix matrix = 1e-3 * random_matrix(n, seed);
  for (Eigen::Index i = 0; i < n; ++i) matrix(i, n - 1 - i) += 1 + static_cast<double>(i);
  if (n > 1) matrix(0, 0) = 0;
  return matrix;
}

Vector counting(Eigen::Index n) {
  return Vector::LinSpaced(n, 1, static_cast<double>(n));
}

/// Solutions whose sizes are those of the right-hand side, relative to which round-off is measured.
void expect_solves(const Matrix& matrix, const Vector& b, const Vector& x, const std::string& what) {
  EXPECT_LT((matrix * x - b).norm(), 1e-13 * matrix.norm() * x.norm()) << what;
  EXPECT_LT((x - matrix.fullPivLu().solve(b)).norm(), 1e-11 * x.norm()) << what;
}

TEST(Elimination, SolvesBelowAndAboveTheSizeWhereEigenTakesOver) {
  for (const Eigen::Index n : {1, 2, 3, 7, 12, 13, 20}) {
    for (const bool elsewhere : {false, true}) {
      const Matrix matrix = elsewhere ? with_pivots_elsewhere(n, 3) : random_matrix(n, 3);
      Elimination elimination;
      elimination.compute(matrix);
      Vector x;
      elimination.solve(counting(n), x);
      expect_solves(matrix, counting(n), x, std::to_string(n));
    }
  }
}

TEST(Elimination, OfASingularMatrixGivesNoNumbers) {
  Matrix matrix = Matrix::Ones(3, 3);
  Elimination elimination;
  elimination.compute(matrix);
  Vector x;
  elimination.solve(counting(3), x);
  EXPECT_FALSE(x.allFinite());
}

/// Returns the x of solver in doubles.
template <class Solver, class Solve>
Vector solved_by(Solver& solver, const Matrix& matrix, const Solve& solve) {
  const auto n = static_cast<std::size_t>(matrix.rows());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      solver.at(i, j) = matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  return solve(counting(matrix.rows()));
}

TEST(LaneLU, SolvesWithRowsInAnyOrder) {
  for (const Eigen::Index n : {1, 2, 3, 5, 9}) {
    for (const bool elsewhere : {false, true}) {
      const Matrix matrix = elsewhere ? with_pivots_elsewhere(n, 5) : random_matrix(n, 5);
      LaneLU<double, 0> lanes;
      lanes.resize(static_cast<std::size_t>(n));
      const Vector x = solved_by(lanes, matrix, [&](Vector b) {
        EXPECT_TRUE(lanes.compute_regular());
        lanes.solve(b.data(), b.data());
        return b;
      });
      expect_solves(matrix, counting(n), x, std::to_string(n));
    }
  }
}

TEST(LaneLU, TellsAPivotThatIsRoundOff) {
  LaneLU<double, 0> lanes;
  lanes.resize(2);
  const auto regular = [&](double entry) {
    lanes.at(0, 0) = 1;
    lanes.at(0, 1) = 1;
    lanes.at(1, 0) = 1;
    lanes.at(1, 1) = 1 + entry;
    return lanes.compute_regular();
  };
  EXPECT_FALSE(regular(0));
  EXPECT_FALSE(regular(4e-15));
  EXPECT_TRUE(regular(1e-12));
}

TEST(LaneLU, GivesEveryLaneTheBitsAndTheVerdictOfItsOwnSystem) {
  const std::array<Matrix, 2> of{with_pivots_elsewhere(4, 7), random_matrix(4, 8)};
  LaneLU<Two, 0> pack;
  pack.resize(4);
  std::array<Two, 4> b;
  std::array<std::array<double, 4>, 2> alone{};
  for (int lane = 0; lane < 2; ++lane) {
    LaneLU<double, 0> single;
    single.resize(4);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        const double entry =
            of[static_cast<std::size_t>(lane)](static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        single.at(i, j) = entry;
        pack.at(i, j).set(lane, entry);
      }
      alone[static_cast<std::size_t>(lane)][i] = static_cast<double>(i) - 1.5;
      b[i].set(lane, static_cast<double>(i) - 1.5);
    }
    ASSERT_TRUE(single.compute_regular());
    single.solve(alone[static_cast<std::size_t>(lane)].data(), alone[static_cast<std::size_t>(lane)].data());
  }
  EXPECT_EQ(bits_of(pack.compute_regular()), 3U);
  pack.solve(b.data(), b.data());
  for (std::size_t i = 0; i < 4; ++i)
    for (int lane = 0; lane < 2; ++lane) EXPECT_EQ(b[i][lane], alone[static_cast<std::size_t>(lane)][i]);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      pack.at(i, j).set(0, 1);
      pack.at(i, j).set(1, i == j ? 1 : 0);
    }
  EXPECT_EQ(bits_of(pack.compute_regular()), 2U) << "only the unit matrix is regular";
}

template <int Size>
void expect_newton_matrix_solves(Eigen::Index n) {
  for (const bool inverts : {false, true}) {
    for (const bool elsewhere : {false, true}) {
      const Matrix matrix = elsewhere ? with_pivots_elsewhere(n, 11) : random_matrix(n, 11);
      LaneLU<double, Size> newton;
      newton.resize(static_cast<std::size_t>(n), inverts);
      newton.clear();
      const Vector x = solved_by(newton, matrix, [&](const Vector& b) {
        EXPECT_TRUE(newton.compute(false));
        Vector solution(b.size());
        newton.solve(b.data(), solution.data());
        return solution;
      });
      expect_solves(matrix, counting(n), x, std::to_string(n) + (inverts ? " inverted" : " factorised"));
    }
  }
}

TEST(LaneLU, SolvesByFactorsAndByItsInverse) {
  for (const Eigen::Index n : {1, 2, 3, 4, 5, 8, 11, 17}) expect_newton_matrix_solves<0>(n);
  expect_newton_matrix_solves<3>(3);
  expect_newton_matrix_solves<7>(7);
}

TEST(LaneLU, SaysWhetherItIsFinite) {
  LaneLU<double, 0> newton;
  newton.resize(2, false);
  newton.clear();
  newton.at(0, 0) = newton.at(1, 1) = 1;
  newton.at(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(newton.compute(false));
}

// Lanes take their matrices one after the other: those that keep theirs go on with it, pivots included.
TEST(LaneLU, LanesKeepTheirMatrixWhileOthersTakeANewOne) {
  for (const bool inverts : {false, true}) {
    LaneLU<Two, 0> pack;
    pack.resize(3, inverts);
    const auto load = [&](const std::array<Matrix, 2>& of) {
      pack.clear();
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          for (int lane = 0; lane < 2; ++lane)
            pack.at(i, j).set(
                lane, of[static_cast<std::size_t>(lane)](static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
    };
    const auto expect_lane = [&](int lane, const Matrix& matrix) {
      std::array<Two, 3> b;
      std::array<Two, 3> x;
      for (std::size_t i = 0; i < 3; ++i) b[i] = Two(static_cast<double>(i) + 1);
      pack.solve(b.data(), x.data());
      LaneLU<double, 0> single;
      single.resize(3, inverts);
      single.clear();
      const Vector alone = solved_by(single, matrix, [&](const Vector& right) {
        EXPECT_TRUE(single.compute(false));
        Vector solution(3);
        single.solve(right.data(), solution.data());
        return solution;
      });
      for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(x[i][lane], alone(static_cast<Eigen::Index>(i))) << lane;
    };
    const Matrix first = with_pivots_elsewhere(3, 13);
    const Matrix second = random_matrix(3, 14);
    const Matrix third = random_matrix(3, 15);
    load({first, second});
    EXPECT_EQ(bits_of(pack.compute(Mask<2>::of(false))), 3U);
    expect_lane(0, first);
    expect_lane(1, second);
    load({third, third});
    EXPECT_EQ(bits_of(pack.compute(Mask<2>::of_bits(1))), 3U);
    expect_lane(0, first);
    expect_lane(1, third);
  }
}

}  // namespace
}  // namespace herglotz::integrate
