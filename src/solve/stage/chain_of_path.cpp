#include "stage/chain_of_path.hpp"

#include <algorithm>

namespace herglotz::solve {
namespace {

std::vector<int> places_of(const AlongPath& numbers) {
  std::vector<int> places(numbers.all, -1);
  for (std::size_t i = 0; i < numbers.on_intervals; ++i) places[i] = static_cast<int>(i / numbers.each);
  return places;
}

}  // namespace

optimise::Chain chain_of_path(const AlongPath& unknowns, const AlongPath& constraints, const Batch& ends,
                              std::size_t d) {
  optimise::Chain chain{places_of(unknowns), places_of(constraints)};
  const auto& second = ends.hessian();
  for (std::size_t e = 0; e < second.row.size(); ++e) {
    const auto [low, high] = std::minmax(second.row[e], second.col[e]);
    if (low < d && high >= d) chain.unknown[low] = -1;
  }
  return chain;
}

}  // namespace herglotz::solve
