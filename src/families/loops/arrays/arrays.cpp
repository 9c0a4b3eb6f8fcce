#include "loops/arrays/arrays.hpp"

#include <cstdint>

#include "herglotz/families/site_values.hpp"

namespace herglotz::families {

using kernel::SiteLoop;

double pairwise(const double* first, std::size_t count, std::size_t stride) {
  if (count == 1) return *first;
  const std::size_t half = (count + 1) / 2;
  return pairwise(first, half, stride) + pairwise(first + half * stride, count - half, stride);
}

Doubles::Doubles(std::size_t size) : room_(std::make_unique<double[]>(size + SiteLoop::block)), size_(size) {
  const auto at = reinterpret_cast<std::uintptr_t>(room_.get());
  constexpr std::uintptr_t line = SiteLoop::block * sizeof(double);
  begin_ = room_.get() + (line - at % line) % line / sizeof(double);
}

Doubles with_margins(const Index& index, const std::vector<double>& values, std::size_t margin) {
  Doubles all(index.count + 2 * margin);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t place = place_of(index, 0, static_cast<std::int64_t>(i) - static_cast<std::int64_t>(margin));
    if (place < index.count) all.data()[i] = values[place];
  }
  return all;
}

}  // namespace herglotz::families
