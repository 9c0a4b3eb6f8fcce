#include "herglotz/kernel/saddle_units.hpp"

#include <gtest/gtest.h>

#include <array>

namespace herglotz::kernel {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

/// Returns [W, -F; Phi, 0] of two velocities and one constraint, with its units taken out.
Matrix without_units(double mass, double unit_of_force, double unit_of_slope) {
  Matrix K{{{2 * mass, 0.5 * mass, -0.25 * unit_of_force},
            {0.5 * mass, 8 * mass, 0},
            {-0.5 * unit_of_slope, 4 * unit_of_slope, 0}}};
  take_out_units(2, 1, [&](std::size_t i, std::size_t j) -> double& { return K[i][j]; });
  return K;
}

TEST(SaddleUnits, TheLargestMassAndTheLargestCoefficientOfAConstraintBecomeOne) {
  const Matrix expected{{{0.25, 0.0625, -0.0625}, {0.0625, 1, 0}, {-0.125, 1, 0}}};
  EXPECT_EQ(without_units(1, 1, 1), expected);
}

// Powers of two, so that no entry is rounded.
TEST(SaddleUnits, MatricesOfOneSystemInOtherUnitsBecomeEqual) {
  EXPECT_EQ(without_units(0x1p-90, 1, 1), without_units(1, 1, 1));
  EXPECT_EQ(without_units(1, 0x1p70, 0x1p70), without_units(1, 1, 1));
  EXPECT_NE(without_units(1, 2, 1), without_units(1, 1, 1)) << "a force that is twice as large is another matrix";
}

TEST(SaddleUnits, BlocksOfZerosStay) {
  Matrix K{};
  K[0][2] = 3;
  take_out_units(2, 1, [&](std::size_t i, std::size_t j) -> double& { return K[i][j]; });
  Matrix expected{};
  expected[0][2] = 3;
  EXPECT_EQ(K, expected);
}

}  // namespace
}  // namespace herglotz::kernel
