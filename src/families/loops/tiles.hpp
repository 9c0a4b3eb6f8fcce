#pragma once
/// Passes over the sites tile by tile, in the cache.

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "loops/site_state.hpp"

namespace herglotz::families {

/// Passes tile by tile. A tile is copied with its halo into the nearest cache, several passes run there, and the tile
/// is written to a second copy, so that results do not depend on the order of the tiles. Extra arrays are scratch space
/// of a tile. Each pass makes another `radius` sites at the rim of the halo wrong; they are not written.
class Tiles final : public SiteState {
 public:
  Tiles(const Index& index, const Shape& shape, const std::vector<std::vector<double>>& fixed);
  ~Tiles() override;
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;

  std::vector<double> attempt(std::span<const Pass> passes) override;
  void accept() override { std::swap(now_, next_); }
  std::vector<double> observe(std::span<const Pass> passes, const Take& take) override;
  void keep() override;
  void go_back() override;
  [[nodiscard]] const Tiling& tiling() const override { return tiling_; }
  [[nodiscard]] double* state(std::size_t array) override { return now_[array].data(); }

 private:
  struct Room;
  struct Rooms;
  void load(Room& room, std::size_t tile) const;
  [[nodiscard]] kernel::SiteLoop::Range range(std::size_t tile, std::size_t pass) const;
  template <class Visit>
  void for_each_tile(const Visit& visit);
  /// Makes passes in a tile; their sums are added to `parts`.
  void make(std::span<const Pass> passes, double* const* arrays, std::size_t tile, std::size_t all,
            std::vector<double>& parts) const;

  Index index_;
  Shape shape_;
  Tiling tiling_;
  std::vector<Doubles> now_;
  std::vector<Doubles> next_;
  std::vector<Doubles> kept_;
  std::vector<Doubles> fixed_;  ///< with margins of halo + beyond
  std::size_t margin_;
  std::unique_ptr<Rooms> rooms_;
};

}  // namespace herglotz::families
