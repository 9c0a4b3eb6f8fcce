#pragma once
/// The state of all sites in memory, and passes over it tile by tile.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "herglotz/families/model.hpp"
#include "herglotz/kernel/site_loop.hpp"

namespace herglotz::families {

/// Array of doubles whose first element begins a line of the cache.
class Doubles {
 public:
  explicit Doubles(std::size_t size = 0);
  [[nodiscard]] double* data() { return begin_; }
  [[nodiscard]] const double* data() const { return begin_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::unique_ptr<double[]> room_;
  double* begin_ = nullptr;
  std::size_t size_ = 0;
};

/// Cut of the sites into tiles, which depends on their number alone.
struct Tiling {
  std::size_t count = 0;  ///< sites
  std::size_t tiles = 1;
  std::size_t size = 0;    ///< sites of a tile; the last may have fewer
  std::size_t passes = 1;  ///< the most passes that a tile goes by itself
  std::size_t halo = 0;    ///< sites beyond each end of a tile that it carries along

  Tiling(std::size_t sites, std::size_t radius);
  [[nodiscard]] std::size_t first(std::size_t tile) const { return tile * size; }
  [[nodiscard]] std::size_t own(std::size_t tile) const { return std::min(size, count - first(tile)); }
};

/// Arrays over the sites: some are changed by passes, the others are read only. A tile with its halo is taken into the
/// nearest cache, goes several passes there, and is written to a second copy, so that results do not depend on the
/// order of the tiles. What is wrong at the rim of a halo creeps inwards by `radius` sites a pass, and is not written.
class Tiles {
 public:
  Tiles(const Index& index, std::size_t radius, std::size_t beyond, std::size_t changing,
        const std::vector<std::vector<double>>& fixed);

  /// Makes passes 0, .., scalars.size() - 1 over all sites, at most tiling().passes. `scalars[k]` are the scalars of
  /// the pass k. Returns the sums, pass after pass; they are added in an order that depends on the tiling alone.
  std::vector<double> advance(const kernel::SiteLoop& loop, std::span<const std::vector<double>> scalars);

  /// Makes one pass that changes nothing but `extra` further arrays, which follow the changing ones. Calls `take` for
  /// every tile with its number of sites first, and with the extra arrays at its own sites. Returns the sums.
  std::vector<double> observe(const kernel::SiteLoop& loop, const std::vector<double>& scalars, std::size_t extra,
                              const std::function<void(std::size_t tile, double* const* extra)>& take);

  [[nodiscard]] const Tiling& tiling() const { return tiling_; }
  [[nodiscard]] double* state(std::size_t array) { return now_[array].data(); }

 private:
  struct Room;
  void load(Room& room, std::size_t tile) const;
  [[nodiscard]] kernel::SiteLoop::Range range(std::size_t tile, std::size_t pass) const;
  template <class Visit>
  void for_each_tile(std::size_t extra, const Visit& visit) const;
  [[nodiscard]] std::vector<double> added(const std::vector<double>& parts, std::size_t passes, std::size_t sums) const;

  Index index_;
  std::size_t radius_;
  std::size_t beyond_;
  Tiling tiling_;
  std::vector<Doubles> now_;
  std::vector<Doubles> next_;
  std::vector<Doubles> fixed_;  ///< with margins of halo + beyond
  std::size_t margin_;
};

}  // namespace herglotz::families
