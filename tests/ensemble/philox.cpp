#include "philox.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <vector>

namespace herglotz::ensemble {
namespace {

using Words = std::array<std::uint32_t, 4>;

/// Known answers that come with the authors' Random123.
TEST(Philox, IsTheOneThatWasPublished) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, ChangesHalfOfTheBitsWithAnyOfSeedQuantityIndexAndStream) {
  const auto bits = [](std::uint64_t seed, std::size_t quantity, std::uint64_t index) {
    return random_bits(seed, Stream::samples, quantity, index);
  };
  std::array<double, 5> changed{};
  const std::size_t count = 4000;
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t here = bits(k, 3, 17 * k);
    const std::array<std::uint64_t, 5> others{bits(k + 1, 3, 17 * k), bits(k, 4, 17 * k), bits(k, 3, 17 * k + 1),
                                              bits(k, 3, 17 * k + (std::uint64_t{1} << 40U)),
                                              random_bits(k, Stream::shifts, 3, 17 * k)};
    for (std::size_t i = 0; i < others.size(); ++i) changed[i] += std::popcount(here ^ others[i]);
  }
  for (const double c : changed) EXPECT_NEAR(c / (52 * count), 0.5, 4 * 0.5 / std::sqrt(52.0 * count));
}

TEST(UnitInterval, IsOpen) {
  EXPECT_EQ(in_unit_interval(0), 0x1p-53);
  EXPECT_EQ(in_unit_interval((std::uint64_t{1} << 52U) - 1), 1 - 0x1p-53);
}

}  // namespace
}  // namespace herglotz::ensemble
