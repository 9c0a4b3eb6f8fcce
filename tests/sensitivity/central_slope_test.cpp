// Central differences of order 8 and their estimates.

#include "herglotz/sensitivity/central_slope.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace herglotz;

template <class Function>
std::optional<sensitivity::Slope> slope_of(const Function& f, double scale) {
  const auto values_at = [&](std::span<const double> offsets) -> std::optional<std::vector<std::vector<double>>> {
    std::vector<std::vector<double>> all;
    for (const double offset : offsets) all.push_back({f(offset)});
    return all;
  };
  return sensitivity::central_slope(values_at, scale, 1);
}

}  // namespace

TEST(CentralSlope, IsExactToRoundOff) {
  const auto found = slope_of([](double x) { return std::sin(2 + x); }, 2);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->values.front(), std::cos(2.0), 1e-12);
  EXPECT_LT(found->error, 1e-11);
}

// A conserved quantity with the round-off of a run: its derivative is 0 up to that, whatever the differences say.
TEST(CentralSlope, TellsAValueThatDoesNotDependOnTheOffset) {
  const auto values_at = [&](std::span<const double> offsets) -> std::optional<std::vector<std::vector<double>>> {
    std::vector<std::vector<double>> all;
    for (const double offset : offsets)
      all.push_back({std::sin(2 + offset), 3 + 1e-12 * std::sin(987654321 * offset + 1)});
    return all;
  };
  const auto found = sensitivity::central_slope(values_at, 2, 2);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->values[0], std::cos(2.0), 1e-11);
  EXPECT_NEAR(found->values[1], 0, 1e-9);
  EXPECT_LT(found->error, 1e-8);
  EXPECT_EQ(found->round_off, (std::vector<std::size_t>{1}));
}

// Differences over many waves are those of no slope: the second change is larger than the first one, and only then do
// changes fall.
TEST(CentralSlope, GoesOnWhileWideDifferencesAreNotSmooth) {
  const auto found = slope_of([](double x) { return std::sin(210 * x) / 210; }, 32);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->values.front(), 1, 1e-11);
}
