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

/// Below this number of sites the threads would wait for each other longer than they work.
inline constexpr std::size_t few_sites = 10'000;

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

  /// Makes tiles that go `together` passes by themselves at least.
  Tiling(std::size_t sites, std::size_t radius, std::size_t together = 1);
  [[nodiscard]] std::size_t first(std::size_t tile) const { return tile * size; }
  [[nodiscard]] std::size_t own(std::size_t tile) const { return std::min(size, count - first(tile)); }
};

/// One pass over all sites: its loop, and the values of its scalars.
struct Pass {
  const kernel::SiteLoop* loop = nullptr;
  std::vector<double> scalars{};
};

/// Arrays over the sites, in this order: changing arrays; extra arrays, which are scratch space of a tile and keep no
/// values between visits; fixed arrays, which passes only read. A tile is copied with its halo into the nearest cache,
/// several passes run there, and the tile is written to a second copy, so that results do not depend on the order of
/// the tiles. Each pass makes another `radius` sites at the rim of the halo wrong; they are not written.
class Tiles {
 public:
  /// Numbers of arrays, and how far passes read.
  struct Shape {
    std::size_t changing = 0;
    std::size_t extra = 0;
    std::size_t radius = 0;    ///< the most sites that one pass carries an error inwards
    std::size_t beyond = 0;    ///< the largest SiteLoop::beyond() of the passes
    std::size_t together = 1;  ///< passes that must be made in one visit, as extra arrays join them
  };

  Tiles(const Index& index, const Shape& shape, const std::vector<std::vector<double>>& fixed);
  ~Tiles();
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;

  /// Makes passes over all sites, at most tiling().passes, into the second copy. Returns the sums, pass after pass;
  /// they are added in an order that depends on the tiling alone.
  std::vector<double> attempt(std::span<const Pass> passes);
  /// Makes the second copy the state.
  void accept() { std::swap(now_, next_); }
  /// Makes passes and accepts what they changed.
  std::vector<double> advance(std::span<const Pass> passes);

  /// Makes one pass that changes extra arrays only. Calls `take` for every tile with the extra arrays at its own sites.
  /// Returns the sums.
  std::vector<double> observe(const Pass& pass,
                              const std::function<void(std::size_t tile, double* const* extra)>& take);

  /// Keeps a copy of the state, to which `go_back` returns.
  void keep();
  void go_back();

  [[nodiscard]] const Tiling& tiling() const { return tiling_; }
  [[nodiscard]] double* state(std::size_t array) { return now_[array].data(); }

 private:
  struct Room;
  struct Rooms;
  void load(Room& room, std::size_t tile) const;
  [[nodiscard]] kernel::SiteLoop::Range range(std::size_t tile, std::size_t pass) const;
  template <class Visit>
  void for_each_tile(const Visit& visit);
  [[nodiscard]] std::vector<double> added(const std::vector<double>& parts, std::size_t sums) const;

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
