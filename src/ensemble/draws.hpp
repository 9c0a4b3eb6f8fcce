#pragma once
/// Random numbers of consecutive samples, in registers.

#include <cstddef>
#include <cstdint>

namespace herglotz::ensemble {

/// Computes the numbers in (0, 1) of `count` samples of a quantity, those of in_unit_interval(random_bits(..)).
/// Compiled for W = 1, 4 and 8, for registers of that width; the bits are the same.
template <int W>
void draw(std::uint64_t seed, std::size_t quantity, std::uint64_t first, std::size_t count, double* numbers);

/// Computes normal_quantile of `count` numbers.
template <int W>
void draw_normal(const double* numbers, std::size_t count, double* quantiles);

}  // namespace herglotz::ensemble
