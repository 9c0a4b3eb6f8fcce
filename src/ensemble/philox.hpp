#pragma once
/// Random bits as a function of a counter and a key: Philox4x32-10.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "herglotz/kernel/numbers.hpp"

namespace herglotz::ensemble {

/// Replaces the words of counters by their bits after ten rounds; Salmon, Moraes, Dror and Shaw, "Parallel random
/// numbers: as easy as 1, 2, 3" (2011). A U holds words of 32 bits in places of 64, of one counter or of several.
template <class U>
[[gnu::always_inline]] constexpr void philox_rounds(U (&words)[4], std::uint64_t key, std::uint64_t other_key) {
  constexpr std::uint64_t word = 0xffffffffU;
  for (int round = 0; round < 10; ++round) {
    const U first = words[0] * std::uint64_t{0xD2511F53};
    const U second = words[2] * std::uint64_t{0xCD9E8D57};
    words[0] = (second >> 32U) ^ words[1] ^ key;
    words[1] = second & word;
    words[2] = (first >> 32U) ^ words[3] ^ other_key;
    words[3] = first & word;
    key = (key + 0x9E3779B9U) & word;
    other_key = (other_key + 0xBB67AE85U) & word;
  }
}

/// Returns the bits of one counter after ten rounds.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  std::uint64_t words[4] = {counter[0], counter[1], counter[2], counter[3]};
  philox_rounds(words, key[0], key[1]);
  for (std::size_t k = 0; k < 4; ++k) counter[k] = static_cast<std::uint32_t>(words[k]);
  return counter;
}

/// Use of the bits of a seed.
enum class Stream : std::uint32_t { samples = 0, shifts = 1 };

/// Returns 52 random bits of each of several numbers of a quantity.
template <class U>
[[gnu::always_inline]] constexpr U several_random_bits(std::uint64_t seed, Stream stream, std::size_t quantity,
                                                       const U& index) {
  constexpr std::uint64_t word = 0xffffffffU;
  U words[4] = {index & word, index >> 32U, U{} + (quantity & word), U{} + static_cast<std::uint64_t>(stream)};
  philox_rounds(words, seed & word, seed >> 32U);
  return ((words[0] << 32U) | words[1]) >> 12U;
}

/// Returns 52 random bits of the `index`-th number of a quantity.
constexpr std::uint64_t random_bits(std::uint64_t seed, Stream stream, std::size_t quantity, std::uint64_t index) {
  return several_random_bits(seed, stream, quantity, index);
}

/// Returns the middle of the `bits`-th of 2^52 equal parts of (0, 1), of one number or of several. It is exact, and
/// never 0 or 1.
template <class P = double>
[[gnu::always_inline]] constexpr P in_unit_interval(const kernel::BitsOf<P>& bits) {
  constexpr auto exponent = std::bit_cast<std::uint64_t>(0x1p52);
  return (std::bit_cast<P>(bits | exponent) - 0x1p52 + 0.5) * 0x1p-52;
}

}  // namespace herglotz::ensemble
