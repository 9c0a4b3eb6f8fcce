#include "herglotz/kernel/exponential.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace herglotz::kernel {

TEST(Exponential, ErrsByLessThanOneUnitInTheLastPlace) {
  double worst = 0;
  for (int k = -7000; k <= 7000; ++k) {
    const double x = 0.1 * k + 0.037 * std::sin(k);
    const auto exact = std::exp(static_cast<long double>(x));
    const double unit = std::ldexp(1.0, std::ilogb(static_cast<double>(exact)) - 52);
    worst = std::max(worst, static_cast<double>(std::abs(exponential(x) - exact)) / unit);
  }
  EXPECT_LT(worst, 0.9);
}

TEST(Exponential, KnowsTheEndsOfTheRange) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(exponential(0.0), 1);
  EXPECT_EQ(exponential(-0.0), 1);
  EXPECT_EQ(exponential(infinite), infinite);
  EXPECT_EQ(exponential(-infinite), 0);
  EXPECT_EQ(exponential(709.79), infinite);
  EXPECT_TRUE(std::isfinite(exponential(709.78)));
  EXPECT_EQ(exponential(-745.0), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(exponential(-1e300), 0);
  EXPECT_TRUE(std::isnan(exponential(std::nan(""))));
}

TEST(Exponential, HasTheSameBitsInLanes) {
  for (int k = 0; k < 1000; ++k) {
    const double x[2] = {0.731 * k - 360, k % 5 == 0 ? 800.0 : 1.0 / (k - 500)};
    double y[2];
    store(y, exponential(load<NumbersOf<2>>(x)));
    for (int l = 0; l < 2; ++l) {
      const double alone = exponential(x[l]);
      EXPECT_EQ(std::memcmp(&alone, &y[l], sizeof(double)), 0) << x[l];
    }
  }
}

}  // namespace herglotz::kernel
