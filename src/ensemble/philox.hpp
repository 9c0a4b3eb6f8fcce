#pragma once
/// Random bits as a function of a counter and a key: Philox4x32-10.

#include <array>
#include <cstddef>
#include <cstdint>

namespace herglotz::ensemble {

/// Returns the bits of a counter after ten rounds; Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
/// 1, 2, 3" (2011).
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
    const auto high = [](std::uint64_t product) { return static_cast<std::uint32_t>(product >> 32U); };
    const auto low = [](std::uint64_t product) { return static_cast<std::uint32_t>(product); };
    counter = {high(second) ^ counter[1] ^ key[0], low(second), high(first) ^ counter[3] ^ key[1], low(first)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

/// Use of the bits of a seed.
enum class Stream : std::uint32_t { samples = 0, shifts = 1 };

/// Returns 52 random bits of the `index`-th number of a quantity.
constexpr std::uint64_t random_bits(std::uint64_t seed, Stream stream, std::size_t quantity, std::uint64_t index) {
  const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  const auto high = [](std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32U); };
  const auto words =
      philox({low(index), high(index), low(quantity), static_cast<std::uint32_t>(stream)}, {low(seed), high(seed)});
  return ((std::uint64_t{words[0]} << 32U) | words[1]) >> 12U;
}

/// Returns the middle of the `bits`-th of 2^52 equal parts of (0, 1). It is exact, and never 0 or 1.
constexpr double in_unit_interval(std::uint64_t bits) {
  return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}

}  // namespace herglotz::ensemble
