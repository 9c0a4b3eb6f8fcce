// The eliminations behind every implicit step: single systems and lanes.

#include "numerics/elimination.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "herglotz/integrate/vector_field.hpp"
#include "integrate/two_lanes.hpp"
#include "numerics/lane_lu.hpp"
#include "numerics/sparse_lu.hpp"

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

/// The saddle-point matrix of a chain of rods, with random entries where it has any.
Matrix saddle_of_a_chain(Eigen::Index rods, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Eigen::Index r = 2 * rods;
  Matrix matrix = Matrix::Zero(3 * rods, 3 * rods);
  for (Eigen::Index i = 0; i < r; ++i) matrix(i, i) = 2 + uniform(engine);
  for (Eigen::Index k = 0; k < rods; ++k) {
    for (Eigen::Index i = std::max<Eigen::Index>(0, 2 * k - 2); i < 2 * k + 2; ++i) {
      matrix(r + k, i) = uniform(engine);
      matrix(i, r + k) = -matrix(r + k, i);
    }
  }
  return matrix;
}

TEST(Elimination, SolvesLargeSparseSystems) {
  for (const Eigen::Index rods : {42, 43, 100}) {
    const Matrix matrix = saddle_of_a_chain(rods, 5);
    EXPECT_EQ(
        SparseLU::pays(static_cast<std::size_t>(3 * rods), static_cast<std::size_t>((matrix.array() != 0).count())),
        rods > 42);
    Elimination elimination;
    elimination.compute(matrix);
    Vector x;
    elimination.solve(counting(3 * rods), x);
    expect_solves(matrix, counting(3 * rods), x, std::to_string(rods));
  }
}

TEST(Elimination, OfASingularSparseMatrixIsNotANumber) {
  Matrix matrix = saddle_of_a_chain(60, 6);
  matrix.col(7).setZero();
  Elimination elimination;
  elimination.compute(matrix);
  Vector x;
  elimination.solve(counting(180), x);
  EXPECT_FALSE(x.allFinite());
}

/// The rates of a motion whose mass kernel gives this saddle-point matrix, and (b, -beta) = (1, 2, ...).
std::vector<double> rates_of(const Matrix& saddle, std::size_t r) {
  const auto m = static_cast<std::size_t>(saddle.rows()) - r;
  Dynamics dynamics;
  dynamics.r = r;
  dynamics.m = m;
  const std::size_t size = r + m;
  std::vector<double> outputs{0};  // L
  for (std::size_t i = 0; i < size; ++i) outputs.push_back(static_cast<double>(i + 1));
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      const double entry = saddle(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      if (entry == 0) continue;
      dynamics.saddle_pattern.row.push_back(i);
      dynamics.saddle_pattern.col.push_back(j);
      outputs.push_back(entry);
    }
  }
  const auto mass = [outputs](std::span<const double>, std::span<const double>, std::span<double> out) {
    std::copy(outputs.begin(), outputs.end(), out.begin());
  };
  dynamics.mass = kernel::from_function("mass", dynamics.variables(), 0, outputs.size(), mass);
  CompiledVectorField field(dynamics, {});
  const std::vector<double> state(r + 1, 0.0);
  std::vector<double> rates(r + 1);
  field(0, state, rates);
  std::vector<double> lambda(m);
  field.multipliers(0, state, lambda);
  rates.pop_back();
  rates.insert(rates.end(), lambda.begin(), lambda.end());
  return rates;
}

TEST(VectorField, SolvesForTheRatesOfAChainAsASparseSystem) {
  for (const Eigen::Index rods : {42, 43, 100}) {
    const Matrix saddle = saddle_of_a_chain(rods, 9);
    const auto rates = rates_of(saddle, static_cast<std::size_t>(2 * rods));
    expect_solves(saddle, counting(3 * rods), Eigen::Map<const Vector>(rates.data(), 3 * rods), std::to_string(rods));
  }
}

TEST(VectorField, LeavesToDenseEliminationWhatMayBeSingular) {
  constexpr Eigen::Index rods = 60;
  const auto rates = [](const Matrix& saddle) { return rates_of(saddle, 2 * rods); };
  // One constraint twice, up to round-off: no rates, as in a small system.
  Matrix twice = saddle_of_a_chain(rods, 10);
  twice.row(3 * rods - 1) = twice.row(3 * rods - 2) / 3;
  twice.col(3 * rods - 1) = twice.col(3 * rods - 2) / 3;
  EXPECT_TRUE(std::isnan(rates(twice).front()));
  // Masses of very different size are no sign of that.
  Matrix apart = saddle_of_a_chain(rods, 11);
  apart.row(0) *= 1e12;
  const auto found = rates(apart);
  const Vector x = apart.fullPivLu().solve(counting(3 * rods));
  EXPECT_LT((Eigen::Map<const Vector>(found.data(), 3 * rods) - x).norm(), 1e-9 * x.norm());
}

TEST(LaneSparseLU, HasTheBitsOfASystemAloneAndKeepsFactorsOfLanes) {
  constexpr Eigen::Index n = 150;
  const std::array<Matrix, 2> matrices{saddle_of_a_chain(n / 3, 7), saddle_of_a_chain(n / 3, 8)};
  LaneSparseLU<Two> pack;
  pack.resize(n);
  std::vector<Two> b(n);
  for (Eigen::Index i = 0; i < n; ++i) b[static_cast<std::size_t>(i)] = Two(std::sin(static_cast<double>(i)));
  const auto load = [&](double factor) {
    pack.clear();
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        Two entry(matrices[0](i, j) * factor);
        entry.set(1, matrices[1](i, j) * factor);
        if (entry[0] != 0) pack.add(static_cast<std::size_t>(i), static_cast<std::size_t>(j), entry);
      }
    }
  };
  load(1);
  pack.compute(Mask<2>::of(false));
  std::vector<Two> x(n);
  pack.solve(b.data(), x.data());
  load(3);
  LaneSparseLU<Two> copy = pack;
  copy.compute(Mask<2>::of_bits(1));
  std::vector<Two> after(n);
  copy.solve(b.data(), after.data());
  std::vector<Two> unchanged(n);
  pack.solve(b.data(), unchanged.data());
  for (std::size_t lane = 0; lane < 2; ++lane) {
    LaneSparseLU<double> alone;
    alone.resize(n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        if (matrices[0](i, j) != 0)
          alone.add(static_cast<std::size_t>(i), static_cast<std::size_t>(j), matrices[lane](i, j));
    alone.compute(false);
    std::vector<double> right(n);
    std::vector<double> found(n);
    for (std::size_t i = 0; i < n; ++i) right[i] = b[i][0];
    alone.solve(right.data(), found.data());
    const auto at = static_cast<int>(lane);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(x[i][at], found[i]);
      EXPECT_EQ(unchanged[i][at], found[i]) << "a copy changed the factors";
      // The lane that was kept has its former factors, and the other one those of three times the matrix.
      const double factor = lane == 0 ? 1 : 3;
      EXPECT_NEAR(factor * after[i][at], found[i], lane == 0 ? 0 : 1e-12 * (1 + std::abs(found[i])));
    }
  }
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
