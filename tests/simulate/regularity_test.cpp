#include "herglotz/simulate/regularity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "herglotz/mechanics/singular.hpp"

namespace herglotz::simulate {
namespace {

/// Returns the masses of a chain with second differences as its coupling: 2 on the diagonal and -1 beside it.
std::vector<double> coupled(std::size_t size, bool ring) {
  std::vector<double> matrix(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    matrix[i * size + i] = 2;
    const std::size_t next = (i + 1) % size;
    if (next == 0 && !ring) continue;
    matrix[i * size + next] = matrix[next * size + i] = -1;
  }
  return matrix;
}

// The eigenvalues are 2 - 2 cos(k pi / (n + 1)), so that the condition is cot(pi / (2 n + 2))^2; on a ring they are
// 2 - 2 cos(2 pi k / n), one of which is 0. 16 and 200 are on both sides of the size where the method changes.
TEST(Regularity, HasTheConditionOfAChainAndTheRankOfARing) {
  for (const std::size_t size : {16U, 200U}) {
    const Regularity chain = regularity_of(coupled(size, false), size);
    const double tangent = std::tan(std::numbers::pi / static_cast<double>(2 * size + 2));
    EXPECT_TRUE(chain.regular);
    EXPECT_EQ(chain.positive, size);
    EXPECT_NEAR(chain.condition * tangent * tangent, 1, 1e-9) << size;
    const Regularity ring = regularity_of(coupled(size, true), size);
    EXPECT_FALSE(ring.regular);
    EXPECT_EQ(ring.rank, size - 1);
    EXPECT_EQ(ring.positive, size - 1);
    EXPECT_EQ(ring.negative, 0U);
  }
}

// Sums of two neighbours as constraints of masses 1 are independent; one that is there twice is not.
TEST(Regularity, OfManyConstraintsIsLostByOneThatIsThereTwice) {
  constexpr std::size_t r = 100;
  constexpr std::size_t m = 60;
  for (const bool twice : {false, true}) {
    std::vector<double> blocks(r * r + 2 * m * r, 0.0);
    for (std::size_t i = 0; i < r; ++i) blocks[i * r + i] = 1;
    for (std::size_t A = 0; A < m; ++A) {
      const std::size_t first = twice && A + 1 == m ? 0 : A;
      for (std::size_t block = 0; block < 2; ++block)
        for (const std::size_t a : {first, first + 1}) blocks[r * r + (block * m + A) * r + a] = 1;
    }
    const SaddleRegularity found = saddle_regularity(blocks, r, m);
    EXPECT_TRUE(found.hessian.regular);
    EXPECT_EQ(found.regular, !twice);
    EXPECT_EQ(found.rank, twice ? m - 1 : m);
  }
}

// The ratio of the eigenvalues of the chain is 2.7e-5 for n = 300.
TEST(SurelyRegular, TellsAChainFromARing) {
  constexpr std::size_t size = 300;
  EXPECT_TRUE(mechanics::surely_regular(coupled(size, false), size));
  EXPECT_FALSE(mechanics::surely_regular(coupled(size, true), size));
}

// The saddle point of one mass on a line, and matrices without a diagonal, need rows to be exchanged.
TEST(SurelyRegular, ExchangesRows) {
  EXPECT_TRUE(mechanics::surely_regular(std::vector<double>{1, -2, 2, 0}, 2));
  EXPECT_TRUE(mechanics::surely_regular(std::vector<double>{0, 1, 0, 0, 0, 1, 1, 0, 0}, 3));
}

TEST(SurelyRegular, SaysNothingNearSingularMatrices) {
  EXPECT_FALSE(mechanics::surely_regular(std::vector<double>{1, 2, 2, 4}, 2));
  EXPECT_FALSE(mechanics::surely_regular(std::vector<double>{1, 0, 0, 1e-10}, 2));
  EXPECT_TRUE(mechanics::surely_regular(std::vector<double>{1, 0, 0, 1e-8}, 2));
  EXPECT_FALSE(mechanics::surely_regular(std::vector<double>{0}, 1));
  EXPECT_FALSE(mechanics::surely_regular(std::vector<double>{}, 0));
  EXPECT_FALSE(mechanics::surely_regular(std::vector<double>(600UL * 600UL, 0.0), 600));
  for (const double no_number : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_FALSE(mechanics::surely_regular(std::vector<double>{1, 0, 0, no_number}, 2));
}

}  // namespace
}  // namespace herglotz::simulate
