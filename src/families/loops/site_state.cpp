#include "loops/site_state.hpp"

#include <algorithm>

#include "loops/linked_sites.hpp"
#include "loops/tiles.hpp"

namespace herglotz::families {
namespace {

using kernel::SiteLoop;

/// The arrays of a tile of this size stay in the second cache.
constexpr std::size_t most_sites = 2048;
constexpr std::size_t widest_halo = 32;
constexpr std::size_t most_halos = 4;

}  // namespace

Tiling::Tiling(std::size_t sites, std::size_t radius, std::size_t together)
    : count(sites), tiles((sites + most_sites - 1) / most_sites) {
  const std::size_t reach = std::max<std::size_t>(radius, 1);
  // A tile is several times as large as its halo.
  tiles = std::max<std::size_t>(std::min(tiles, sites / (most_halos * (together + 1) * reach)), 1);
  size = in_blocks((sites + tiles - 1) / tiles);
  tiles = (sites + size - 1) / size;
  const std::size_t affordable = std::max(SiteLoop::block, std::min(widest_halo, size / SiteLoop::block));
  passes = std::max(std::max<std::size_t>(affordable / reach, 2) - 1, together);
  halo = in_blocks((passes + 1) * reach);
}

std::vector<double> Tiling::added(const std::vector<double>& parts, std::size_t sums) const {
  std::vector<double> total;
  std::vector<double> of_tiles(tiles);
  for (std::size_t k = 0; k < sums; ++k) {
    for (std::size_t tile = 0; tile < tiles; ++tile)
      of_tiles[tile] = pairwise(parts.data() + (tile * sums + k) * SiteLoop::block, SiteLoop::block);
    total.push_back(pairwise(of_tiles.data(), tiles));
  }
  return total;
}

std::vector<double> SiteState::advance(std::span<const Pass> passes) {
  auto sums = attempt(passes);
  accept();
  return sums;
}

std::unique_ptr<SiteState> site_state(const Model& model, const SiteState::Shape& shape,
                                      const std::vector<std::vector<double>>& fixed) {
  if (has_graph_sums(model) || !model.constraints.empty())
    return std::make_unique<LinkedSites>(model.line(), shape, fixed);
  return std::make_unique<Tiles>(model.line(), shape, fixed);
}

}  // namespace herglotz::families
