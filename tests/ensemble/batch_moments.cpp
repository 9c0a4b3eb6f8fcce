#include "batch_moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "herglotz/compile/compile.hpp"

namespace herglotz::ensemble {
namespace {

constexpr std::size_t batches = 96;

/// Values of which a few are not finite, in batches that differ in size and offset.
std::vector<double> some_values() {
  std::vector<double> values(batches * batch_members);
  for (std::size_t e = 0; e < batches; ++e)
    for (std::size_t m = 0; m < batch_members; ++m) {
      double& value = values[e * batch_members + m];
      value =
          std::sin(1.7 * static_cast<double>(e * batch_members + m)) * std::exp(0.3 * static_cast<double>(e % 9)) + 2;
      if (e % 5 == 2 && (m * e) % 7 == 3) value = std::numeric_limits<double>::quiet_NaN();
      if (e % 11 == 4 && m % 3 == 1) value = std::numeric_limits<double>::infinity();
      if (e % 13 == 6) value = m % 2 == 0 ? 0.0 : -0.0;
      if (e % 17 == 8) value = 1.5e308;
      if (e == 95) value = std::numeric_limits<double>::quiet_NaN();
    }
  return values;
}

std::vector<Moments> reduced(const std::vector<double>& values, unsigned present, int lanes) {
  std::vector<Moments> moments(batches);
  (lanes == 8 ? reduce<8> : lanes == 4 ? reduce<4> : reduce<1>)(values.data(), batches, present, moments.data());
  return moments;
}

}  // namespace

TEST(BatchMoments, AreThoseOfTheValuesOneByOne) {
  const auto values = some_values();
  for (const unsigned present : {0xffffU, 0x7fffU, 0x0421U, 0U}) {
    const auto moments = reduced(values, present, 1);
    for (std::size_t e = 0; e < batches; ++e) {
      Moments alone;
      for (std::size_t m = 0; m < batch_members; ++m)
        if ((present >> m & 1U) != 0) alone.add(values[e * batch_members + m]);
      EXPECT_EQ(moments[e].count, alone.count) << e;
      EXPECT_EQ(moments[e].least, alone.least) << e;
      EXPECT_EQ(moments[e].largest, alone.largest) << e;
      EXPECT_NEAR(moments[e].mean, alone.mean, 1e-14 * (1 + std::abs(alone.largest))) << e;
      if (e % 17 == 8) continue;  // squares overflow
      EXPECT_NEAR(moments[e].squares, alone.squares, 1e-13 * (1 + alone.squares)) << e;
    }
  }
}

TEST(BatchMoments, HaveTheSameBitsInRegistersOfAnyWidth) {
  const auto values = some_values();
  for (const unsigned present : {0xffffU, 0xfff7U}) {
    const auto alone = reduced(values, present, 1);
    for (const int lanes : {4, 8}) {
      if (lanes > compile::native_lanes()) continue;
      const auto together = reduced(values, present, lanes);
      EXPECT_EQ(std::memcmp(together.data(), alone.data(), batches * sizeof(Moments)), 0) << lanes;
    }
  }
}

TEST(BatchMoments, HaveTheMeanOfValuesWhoseDifferenceIsNoDouble) {
  constexpr double far = 1.5e308;
  Moments one_by_one;
  for (const double value : {far, -far, far, -far}) one_by_one.add(value);
  Moments merged;
  for (const double value : {far, -far}) {
    Moments part;
    part.add(value);
    part.add(value);
    merged.add(part);
  }
  for (const Moments& moments : {one_by_one, merged}) {
    EXPECT_NEAR(moments.mean, 0, 1e-15 * far);
    EXPECT_EQ(moments.squares, std::numeric_limits<double>::infinity());
  }
}

}  // namespace herglotz::ensemble
