#include "loops/tiles.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cstring>

#include "herglotz/ensemble/in_parallel.hpp"

namespace herglotz::families {
namespace {

using kernel::SiteLoop;

std::size_t sums_of(std::span<const Pass> passes) {
  std::size_t all = 0;
  for (const Pass& pass : passes) all += pass.loop->sums();
  return all;
}

}  // namespace

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
  for (const auto& values : fixed) fixed_.push_back(with_margins(index, values, margin_));
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
  range.first = shape_.radius * pass / SiteLoop::block * SiteLoop::block;
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
  ensemble::in_parallel(tiling_.tiles, some);
}

void Tiles::make(std::span<const Pass> passes, double* const* arrays, std::size_t tile, std::size_t all,
                 std::vector<double>& parts) const {
  double* sums = parts.data() + tile * all * SiteLoop::block;
  for (std::size_t k = 0; k < passes.size(); ++k) {
    (*passes[k].loop)(arrays, passes[k].scalars.data(), sums, range(tile, k));
    sums += passes[k].loop->sums() * SiteLoop::block;
  }
}

std::vector<double> Tiles::attempt(std::span<const Pass> passes) {
  const std::size_t all = sums_of(passes);
  std::vector<double> parts(tiling_.tiles * all * SiteLoop::block);
  for_each_tile([&](double* const* arrays, std::size_t tile) {
    make(passes, arrays, tile, all, parts);
    for (std::size_t a = 0; a < now_.size(); ++a)
      std::memcpy(next_[a].data() + tiling_.first(tile), arrays[a] + tiling_.halo, tiling_.own(tile) * sizeof(double));
  });
  return tiling_.added(parts, all);
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

std::vector<double> Tiles::observe(std::span<const Pass> passes, const Take& take) {
  const std::size_t all = sums_of(passes);
  std::vector<double> parts(tiling_.tiles * all * SiteLoop::block);
  for_each_tile([&](double* const* arrays, std::size_t tile) {
    make(passes, arrays, tile, all, parts);
    std::vector<double*> own;
    for (std::size_t a = 0; a < shape_.extra; ++a) own.push_back(arrays[now_.size() + a] + tiling_.halo);
    take(tile, own.data());
  });
  return tiling_.added(parts, all);
}

}  // namespace herglotz::families
