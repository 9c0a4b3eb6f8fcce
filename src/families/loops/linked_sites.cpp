#include "loops/linked_sites.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "herglotz/ensemble/in_parallel.hpp"
#include "herglotz/families/site_values.hpp"
#include "loops/links/links.hpp"
#include "loops/reactions/reactions.hpp"

namespace herglotz::families {
namespace {

ConstrainedMotion motion_of(const ReactionCall& call, double* const* arrays) {
  ConstrainedMotion motion{arrays + call.q, arrays + call.v, arrays + call.acceleration, arrays + call.inverse_inertia};
  if (call.lost) {
    motion.lost_q = arrays + *call.lost;
    motion.lost_v = arrays + *call.lost + (call.v - call.q);
  }
  return motion;
}

/// Makes what a pass without a loop does. Returns the works of impulses, or nothing if it fails.
std::optional<Reactions::Works> keep_constraints(const ReactionCall& call, double* const* arrays) {
  const ConstrainedMotion motion = motion_of(call, arrays);
  switch (call.act) {
    case ReactionAct::begin:
      return call.reactions->begin(motion, call.t) ? std::optional(Reactions::Works{}) : std::nullopt;
    case ReactionAct::keep_coordinates:
      return call.reactions->keep_coordinates(motion, call.t, call.h);
    case ReactionAct::keep_velocities:
      return call.reactions->keep_velocities(motion, call.t);
    default:
      return call.reactions->project(motion, call.t);
  }
}

Reactions::Works react(const ReactionCall& call, double* const* arrays) {
  return call.reactions->react(motion_of(call, arrays), call.t, arrays + call.force,
                               call.size ? arrays + *call.size : nullptr);
}

}  // namespace

LinkedSites::LinkedSites(const Index& index, const Shape& shape, const std::vector<std::vector<double>>& fixed)
    : index_(index),
      shape_(shape),
      tiling_(index.count, shape.radius),
      margin_(in_blocks(std::max(shape.radius, shape.beyond))) {
  for (std::size_t a = 0; a < shape.changing; ++a) now_.emplace_back(index.count + 2 * margin_);
  for (std::size_t a = 0; a < shape.extra; ++a) extra_.emplace_back(index.count + 2 * margin_);
  for (const auto& values : fixed) fixed_.push_back(with_margins(index, values, margin_));
  copy(now_, next_);
}

void LinkedSites::copy(const Arrays& from, Arrays& to) {
  for (std::size_t a = to.size(); a < from.size(); ++a) to.emplace_back(from[a].size());
  for (std::size_t a = 0; a < from.size(); ++a)
    std::memcpy(to[a].data(), from[a].data(), from[a].size() * sizeof(double));
}

std::vector<double*> LinkedSites::pointers(Arrays& changing) {
  std::vector<double*> all;
  for (Arrays* const arrays : {&changing, &extra_, &fixed_})
    for (Doubles& array : *arrays) all.push_back(array.data() + margin_);
  return all;
}

void LinkedSites::close_ring(double* array) const {
  const auto count = static_cast<std::int64_t>(index_.count);
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(shape_.radius); ++k) {
    array[count + k] = array[place_of(index_, 0, k)];
    array[-1 - k] = array[place_of(index_, 0, -1 - k)];
  }
}

std::vector<double> LinkedSites::make(std::span<const Pass> passes, Arrays& changing) {
  const std::vector<double*> arrays = pointers(changing);
  const bool ring = index_.ends == Ends::periodic && shape_.radius > 0;
  std::vector<double> sums;
  Found found;
  for (const Pass& pass : passes) {
    for (std::size_t a = 0; ring && a < shape_.changing + shape_.extra; ++a) close_ring(arrays[a]);
    find_links(pass.call, arrays.data(), sums.size(), found);
    if (pass.loop == nullptr) {
      const std::vector<double> own = without_loop(pass, arrays.data());
      sums.insert(sums.end(), own.begin(), own.end());
      continue;
    }
    if (pass.reaction.reactions != nullptr)
      for (const auto& [law, power] : react(pass.reaction, arrays.data()))
        if (!pass.sum_of_law.empty()) found.emplace_back(sums.size() + pass.sum_of_law[law], power);
    const std::size_t own = pass.loop->sums();
    std::vector<double> parts(tiling_.tiles * own * kernel::SiteLoop::block);
    const auto visit = [&](std::size_t tile) {
      const std::size_t first = tiling_.first(tile);
      const std::size_t last = first + tiling_.own(tile);
      (*pass.loop)(arrays.data(), pass.scalars.data(), parts.data() + tile * own * kernel::SiteLoop::block,
                   {first, last, first, last});
    };
    if (index_.count < few_sites)
      for (std::size_t tile = 0; tile < tiling_.tiles; ++tile) visit(tile);
    else
      ensemble::each_in_parallel(tiling_.tiles, visit);
    const std::vector<double> added = tiling_.added(parts, own);
    sums.insert(sums.end(), added.begin(), added.end());
  }
  for (const auto& [sum, value] : found) sums[sum] += value;
  return sums;
}

void LinkedSites::find_links(const LinkCall& call, double* const* arrays, std::size_t sums, Found& found) const {
  for (std::size_t f = 0; f < call.forces; ++f) std::fill_n(arrays[call.force + f], index_.count, 0.0);
  if (call.links == nullptr) return;
  for (const auto& [sum, value] : call.links->find(arrays + call.base, arrays + call.force, call.t))
    found.emplace_back(sums + sum, value);
}

std::vector<double> LinkedSites::without_loop(const Pass& pass, double* const* arrays) {
  std::vector<double> sums(1 + pass.sum_of_law.size());
  const auto works = keep_constraints(pass.reaction, arrays);
  if (!works) sums.front() = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [law, work] : works.value_or(Reactions::Works{})) sums[1 + law] += work;
  return sums;
}

std::vector<double> LinkedSites::attempt(std::span<const Pass> passes) {
  copy(now_, next_);
  return make(passes, next_);
}

std::vector<double> LinkedSites::observe(std::span<const Pass> passes, const Take& take) {
  std::vector<double> sums = make(passes, now_);
  for (std::size_t tile = 0; tile < tiling_.tiles; ++tile) {
    std::vector<double*> own;
    for (Doubles& array : extra_) own.push_back(array.data() + margin_ + tiling_.first(tile));
    take(tile, own.data());
  }
  return sums;
}

void LinkedSites::keep() {
  copy(now_, kept_);
}

void LinkedSites::go_back() {
  copy(kept_, now_);
}

}  // namespace herglotz::families
