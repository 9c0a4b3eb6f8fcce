// This file is compiled once for each width of registers, which CMake defines.
// It holds random numbers in registers of W numbers.

#include "draws.hpp"

#include "herglotz/kernel/numbers.hpp"
#include "philox.hpp"
#include "quantile.hpp"

namespace herglotz::ensemble {

template <int W>
void draw(std::uint64_t seed, std::size_t quantity, std::uint64_t first, std::size_t count, double* numbers) {
  using Bits = typename kernel::Lanes<W>::Bits;
  Bits offsets{};
  if constexpr (W > 1)
    for (int l = 0; l < W; ++l) offsets[l] = static_cast<std::uint64_t>(l);
  std::size_t k = 0;
  for (; k + W <= count; k += W) {
    const Bits bits = several_random_bits(seed, Stream::samples, quantity, Bits{} + (first + k) + offsets);
    kernel::store(numbers + k, in_unit_interval<kernel::NumbersOf<W>>(bits));
  }
  for (; k < count; ++k)
    numbers[k] = in_unit_interval<double>(several_random_bits(seed, Stream::samples, quantity, first + k));
}

template <int W>
void draw_normal(const double* numbers, std::size_t count, double* quantiles) {
  using P = kernel::NumbersOf<W>;
  std::size_t k = 0;
  for (; k + W <= count; k += W) kernel::store(quantiles + k, normal_near_middle(kernel::load<P>(numbers + k) - 0.5));
  for (; k < count; ++k) quantiles[k] = normal_near_middle(numbers[k] - 0.5);
  for (k = 0; k < count; ++k)
    if (!is_near_middle(numbers[k] - 0.5)) quantiles[k] = normal_quantile(numbers[k]);
}

template void draw<HERGLOTZ_WIDTH>(std::uint64_t seed, std::size_t quantity, std::uint64_t first, std::size_t count,
                                   double* numbers);
template void draw_normal<HERGLOTZ_WIDTH>(const double* numbers, std::size_t count, double* quantiles);

}  // namespace herglotz::ensemble
