#include "sobol.hpp"

#include <bit>
#include <boost/random/sobol.hpp>

namespace herglotz::ensemble {
namespace {

constexpr std::size_t width = 52;

}  // namespace

Sobol::Sobol(std::size_t dimensions) : directions_(dimensions * width) {
  if (dimensions == 0) return;
  const boost::random::sobol_engine<std::uint64_t, 64> from_point_1(dimensions);
  // The Gray codes of 2^k - 1 and 2^k differ in bit k, so their points differ by the direction number of bit k.
  for (std::size_t k = 0; k < width; ++k) {
    boost::random::sobol_engine<std::uint64_t, 64> engine = from_point_1;
    std::vector<std::uint64_t> before(dimensions, 0);
    if (k > 0) {
      engine.discard(((std::uint64_t{1} << k) - 2) * dimensions);
      for (auto& bits : before) bits = engine();
    }
    for (std::size_t d = 0; d < dimensions; ++d) directions_[d * width + k] = (engine() ^ before[d]) >> 12U;
  }
}

std::uint64_t Sobol::bits(std::size_t dimension, std::uint64_t index) const {
  std::uint64_t bits = 0;
  for (std::uint64_t code = index ^ (index >> 1U); code != 0; code &= code - 1)
    bits ^= directions_[dimension * width + static_cast<std::size_t>(std::countr_zero(code))];
  return bits;
}

std::uint64_t Sobol::change(std::size_t dimension, std::uint64_t index) const {
  return directions_[dimension * width + static_cast<std::size_t>(std::countr_zero(index))];
}

}  // namespace herglotz::ensemble
