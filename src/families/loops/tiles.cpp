#include "loops/tiles.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "herglotz/families/site_values.hpp"

namespace herglotz::families {
namespace {

using kernel::SiteLoop;

constexpr std::size_t block = SiteLoop::block;
/// The arrays of a tile of this size stay in the second cache.
constexpr std::size_t most_sites = 2048;
constexpr std::size_t widest_halo = 32;
constexpr std::size_t most_halos = 4;

constexpr std::size_t in_blocks(std::size_t n) {
  return (n + block - 1) / block * block;
}

/// Returns the sum of the numbers at first, first + stride, ... in pairs.
double pairwise(const double* first, std::size_t count, std::size_t stride) {
  if (count == 1) return *first;
  const std::size_t half = (count + 1) / 2;
  return pairwise(first, half, stride) + pairwise(first + half * stride, count - half, stride);
}

}  // namespace

Doubles::Doubles(std::size_t size) : room_(std::make_unique<double[]>(size + block)), size_(size) {
  const auto at = reinterpret_cast<std::uintptr_t>(room_.get());
  constexpr std::uintptr_t line = block * sizeof(double);
  begin_ = room_.get() + (line - at % line) % line / sizeof(double);
}

Tiling::Tiling(std::size_t sites, std::size_t radius, std::size_t together)
    : count(sites), tiles((sites + most_sites - 1) / most_sites) {
  const std::size_t reach = std::max<std::size_t>(radius, 1);
  // A tile is several times as large as its halo.
  tiles = std::max<std::size_t>(std::min(tiles, sites / (most_halos * (together + 1) * reach)), 1);
  size = in_blocks((sites + tiles - 1) / tiles);
  tiles = (sites + size - 1) / size;
  const std::size_t affordable = std::max(block, std::min(widest_halo, size / block));
  passes = std::max(std::max<std::size_t>(affordable / reach, 2) - 1, together);
  halo = in_blocks((passes + 1) * reach);
}

/// The arrays of a tile in the cache of one thread.
struct Tiles::Room {
  std::vector<Doubles> arrays;
  std::vector<double*> pointers;  ///< at the first site of the halo; the fixed arrays follow
};

/// The rooms of all threads.
struct Tiles::Rooms {
  tbb::enumerable_thread_specific<Room> of_threads;
};

Tiles::~Tiles() = default;

Tiles::Tiles(const Index& index, const Shape& shape, const std::vector<std::vector<double>>& fixed)
    : index_(index),
      shape_(shape),
      tiling_(index.count, shape.radius, shape.together),
      margin_(tiling_.halo + shape.beyond) {
  for (std::size_t a = 0; a < shape.changing; ++a) {
    now_.emplace_back(index.count);
    next_.emplace_back(index.count);
  }
  for (const auto& values : fixed) {
    fixed_.emplace_back(index.count + 2 * margin_);
    for (std::size_t i = 0; i < fixed_.back().size(); ++i) {
      const std::size_t place = place_of(index, 0, static_cast<std::int64_t>(i) - static_cast<std::int64_t>(margin_));
      if (place < index.count) fixed_.back().data()[i] = values[place];
    }
  }
  rooms_ = std::make_unique<Rooms>(Rooms{tbb::enumerable_thread_specific<Room>([this] {
    Room room;
    const std::size_t size = tiling_.size + 2 * (tiling_.halo + shape_.beyond);
    for (std::size_t a = 0; a < shape_.changing + shape_.extra; ++a) room.arrays.emplace_back(size);
    for (auto& array : room.arrays) room.pointers.push_back(array.data() + shape_.beyond);
    room.pointers.resize(room.arrays.size() + fixed_.size());
    return room;
  })});
}

void Tiles::load(Room& room, std::size_t tile) const {
  const std::size_t all = tiling_.own(tile) + 2 * tiling_.halo;
  const auto count = static_cast<std::int64_t>(index_.count);
  const auto begin = static_cast<std::int64_t>(tiling_.first(tile)) - static_cast<std::int64_t>(tiling_.halo);
  for (std::size_t i = 0; i < all;) {
    std::int64_t place = begin + static_cast<std::int64_t>(i);
    if ((place < 0 || place >= count) && index_.ends != Ends::periodic) {
      // No pass visits a place outside, where the last tile in this room may have left something.
      for (std::size_t a = 0; a < room.arrays.size(); ++a) room.pointers[a][i] = 0;
      ++i;
      continue;
    }
    place = (place % count + count) % count;
    const std::size_t run = std::min(static_cast<std::size_t>(count - place), all - i);
    for (std::size_t a = 0; a < now_.size(); ++a)
      std::memcpy(room.pointers[a] + i, now_[a].data() + place, run * sizeof(double));
    i += run;
  }
  for (std::size_t a = 0; a < fixed_.size(); ++a)
    room.pointers[room.arrays.size() + a] =
        const_cast<double*>(fixed_[a].data()) + shape_.beyond + tiling_.first(tile);  // passes do not write them
}

SiteLoop::Range Tiles::range(std::size_t tile, std::size_t pass) const {
  const std::size_t own = tiling_.own(tile);
  SiteLoop::Range range;
  range.first = shape_.radius * pass / block * block;
  range.last = own + 2 * tiling_.halo - shape_.radius * pass;
  range.inside_first = tiling_.halo;
  range.inside_last = tiling_.halo + own;
  if (index_.ends == Ends::periodic) return range;
  const std::size_t first = tiling_.first(tile);
  if (first < tiling_.halo) range.first = std::max(range.first, tiling_.halo - first);
  range.last = std::min(range.last, tiling_.halo + index_.count - first);
  return range;
}

template <class Visit>
void Tiles::for_each_tile(const Visit& visit) {
  const auto some = [&](std::size_t begin, std::size_t end) {
    Room& room = rooms_->of_threads.local();
    for (std::size_t tile = begin; tile < end; ++tile) {
      load(room, tile);
      visit(room.pointers.data(), tile);
    }
  };
  if (index_.count < few_sites) return some(0, tiling_.tiles);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, tiling_.tiles),
                    [&](const auto& part) { some(part.begin(), part.end()); });
}

/// Adds the parts of the tiles: parts[tile sums + sum][block].
std::vector<double> Tiles::added(const std::vector<double>& parts, std::size_t sums) const {
  std::vector<double> total;
  std::vector<double> of_tiles(tiling_.tiles);
  for (std::size_t k = 0; k < sums; ++k) {
    for (std::size_t tile = 0; tile < tiling_.tiles; ++tile)
      of_tiles[tile] = pairwise(parts.data() + (tile * sums + k) * block, block, 1);
    total.push_back(pairwise(of_tiles.data(), tiling_.tiles, 1));
  }
  return total;
}

std::vector<double> Tiles::attempt(std::span<const Pass> passes) {
  std::size_t all = 0;
  for (const Pass& pass : passes) all += pass.loop->sums();
  std::vector<double> parts(tiling_.tiles * all * block);
  for_each_tile([&](double* const* arrays, std::size_t tile) {
    double* sums = parts.data() + tile * all * block;
    for (std::size_t k = 0; k < passes.size(); ++k) {
      (*passes[k].loop)(arrays, passes[k].scalars.data(), sums, range(tile, k));
      sums += passes[k].loop->sums() * block;
    }
    for (std::size_t a = 0; a < now_.size(); ++a)
      std::memcpy(next_[a].data() + tiling_.first(tile), arrays[a] + tiling_.halo, tiling_.own(tile) * sizeof(double));
  });
  return added(parts, all);
}

std::vector<double> Tiles::advance(std::span<const Pass> passes) {
  auto sums = attempt(passes);
  accept();
  return sums;
}

void Tiles::keep() {
  if (kept_.empty())
    for (const Doubles& array : now_) kept_.emplace_back(array.size());
  for (std::size_t a = 0; a < now_.size(); ++a)
    std::memcpy(kept_[a].data(), now_[a].data(), now_[a].size() * sizeof(double));
}

void Tiles::go_back() {
  for (std::size_t a = 0; a < now_.size(); ++a)
    std::memcpy(now_[a].data(), kept_[a].data(), now_[a].size() * sizeof(double));
}

std::vector<double> Tiles::observe(const Pass& pass,
                                   const std::function<void(std::size_t tile, double* const* extra)>& take) {
  const std::size_t sums = pass.loop->sums();
  std::vector<double> parts(tiling_.tiles * sums * block);
  for_each_tile([&](double* const* arrays, std::size_t tile) {
    (*pass.loop)(arrays, pass.scalars.data(), parts.data() + tile * sums * block, range(tile, 0));
    std::vector<double*> own;
    for (std::size_t a = 0; a < shape_.extra; ++a) own.push_back(arrays[now_.size() + a] + tiling_.halo);
    take(tile, own.data());
  });
  return added(parts, sums);
}

}  // namespace herglotz::families
