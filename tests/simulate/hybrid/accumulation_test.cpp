// Jumps that accumulate, against the times of hops in closed form.

#include "hybrid/accumulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace herglotz::simulate {
namespace {

constexpr double span = 10;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Returns how many hops of this height, under the acceleration 2, are looked at until they count as rest; 0 if a
/// hundred of them do not.
int hops_of(double height, double size) {
  Accumulation jumps(span);
  const double speed = std::sqrt(4 * height);
  for (int k = 0; k < 100; ++k)
    if (jumps.add(1 + k * speed, Landing{0, speed, size})) return k;
  return 0;
}

// With the acceleration a = 2 a hop ends at the speed v behind the time v, and is v^2/4 high.
TEST(Accumulation, OfHopsIsFoundWhereTheirHeightIsRounding) {
  EXPECT_EQ(hops_of(4 * epsilon, 1), static_cast<int>(Accumulation::looks));
  EXPECT_EQ(hops_of(4000 * epsilon, 1000), static_cast<int>(Accumulation::looks));
  EXPECT_EQ(hops_of(16 * epsilon, 1), 0);
  EXPECT_EQ(hops_of(4 * epsilon, 0.1), 0);
}

// Higher hops of one impact between those of another begin the count anew.
TEST(Accumulation, OfHopsIsThatOfAllImpacts) {
  Accumulation jumps(span);
  const double speed = 1e-8;
  for (int k = 0; k < 100; ++k) {
    EXPECT_FALSE(jumps.add(1 + 2 * k * speed, Landing{0, speed, 1}));
    EXPECT_FALSE(jumps.add(1 + (2 * k + 1) * speed, Landing{1, 1, 1}));
  }
}

TEST(Accumulation, OfHopsIsForgottenAtARestart) {
  Accumulation jumps(span);
  const double speed = 1e-8;
  for (int k = 0; k < 100; ++k) {
    if (k % 5 == 0) jumps.restart();
    EXPECT_FALSE(jumps.add(1 + k * speed, Landing{0, speed, 1}));
  }
}

}  // namespace
}  // namespace herglotz::simulate
