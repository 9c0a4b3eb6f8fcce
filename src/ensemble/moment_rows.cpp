#include "moment_rows.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace herglotz::ensemble {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void MomentRows::Pack::add(const Numbers& value) {
  const auto finite = 0 * value == Numbers{};
  const Numbers counted = count + 1;
  const Numbers before = value - mean;
  const Numbers moved = mean + before / counted;
  const Numbers spread = squares + before * (value - moved);
  count = finite ? counted : count;
  mean = finite ? moved : mean;
  squares = finite ? spread : squares;
  least = (finite & (value < least)) ? value : least;
  largest = (finite & (largest < value)) ? value : largest;
}

void MomentRows::clear() {
  constexpr Numbers most{infinite, infinite, infinite, infinite};
  std::fill(packs_.begin(), packs_.end(), Pack{{}, {}, {}, most, -most});
}

void MomentRows::add(const double* values) {
  const std::size_t whole = rows_ / width;
  Numbers value;
  for (std::size_t k = 0; k < whole; ++k) {
    std::memcpy(&value, values + k * width, sizeof(value));
    packs_[k].add(value);
  }
  if (whole == packs_.size()) return;
  value = Numbers{unknown, unknown, unknown, unknown};
  std::memcpy(&value, values + whole * width, (rows_ - whole * width) * sizeof(double));
  packs_[whole].add(value);
}

Moments MomentRows::at(std::size_t row) const {
  const Pack& pack = packs_[row / width];
  const std::size_t at = row % width;
  if (pack.count[at] == 0) return {};
  return {pack.count[at], pack.mean[at], pack.squares[at], pack.least[at], pack.largest[at]};
}

}  // namespace herglotz::ensemble
