#include "loops/error_scales.hpp"

#include <algorithm>
#include <cmath>

#include "herglotz/ensemble/in_parallel.hpp"
#include "herglotz/kernel/adaptive_loop.hpp"
#include "herglotz/kernel/least_size.hpp"

namespace herglotz::families {

using kernel::ErrorShares;

double local_error(double tolerance) {
  constexpr double share = 0.1;
  constexpr double least = 2e-15;
  return std::max(share * tolerance, least);
}

ErrorScales::ErrorScales(std::size_t families, const Tiling& tiling, double local, const Observed& start)
    : n_(families), tiling_(&tiling), local_(local), recent_(2 * families, std::vector<double>(tiling.count)) {
  for (const LawRow& law : start.laws) law_.push_back(std::abs(law.scale));
}

ErrorScales::Sizes ErrorScales::sizes(const Arrays& state, const Whole& whole) const {
  Sizes size{};
  for (std::size_t a = 0; a < 2 * n_; ++a) size[a / n_] = std::max(size[a / n_], largest(state[a]));
  size[2] = std::abs(whole.z());
  return size;
}

bool ErrorScales::at_rest() const {
  return largest_group() <= kernel::least_size;
}

double ErrorScales::largest_group() const {
  return *std::max_element(group_.begin(), group_.end());
}

void ErrorScales::expect_sizes(double duration, const Trials& trials) {
  constexpr double share_at_rest = 1e-3;
  constexpr int most_tries = 200;
  const double bound = 1e-2 / (local_ * ErrorShares::group);
  double h = share_at_rest * duration;
  for (int k = 0; k < most_tries && std::abs(h) <= std::abs(duration); ++k) {
    const Sizes sizes = trials.sizes_after(h);
    const bool moves = std::any_of(sizes.begin(), sizes.end(), [](double size) { return size > 0; });
    group_ = sizes;
    trials.weigh();
    const double square = moves ? trials.mean_square(h) : 0;
    if (moves && std::isfinite(square) && square <= bound * bound) return;
    group_ = {};
    trials.weigh();
    h = moves ? h / 2 : 2 * h;
  }
}

double ErrorScales::mean_square(double of_sites, const Whole& whole) const {
  double square = of_sites;
  const auto& errors = whole.errors();
  for (std::size_t e = 0; e < errors.size(); ++e) {
    const double weighted = errors[e] * of_whole_[e];
    square += weighted * weighted;
  }
  return square / static_cast<double>(2 * n_ * tiling_->count + errors.size());
}

void ErrorScales::weigh(const Arrays& state, const Whole& whole, const Arrays& weights) {
  const Sizes size = sizes(state, whole);
  for (std::size_t g = 0; g < size.size(); ++g) group_[g] = std::max(group_[g], size[g]);
  const double all = largest_group();
  const auto floor = [&](std::size_t g) {
    return all > kernel::least_size ? std::max(ErrorShares::group * group_[g], ErrorShares::state * all) : 1.0;
  };
  for (std::size_t a = 0; a < 2 * n_; ++a) weigh_sites(a, floor(a / n_), state[a], weights[a]);
  const auto& now = whole.now();
  of_whole_.assign(now.size(), 0.0);
  const auto weight = [&](double value, double least) { return 1 / (local_ * (std::abs(value) + least)); };
  lately_z_ = std::max(size[2], ErrorShares::fade * lately_z_);
  of_whole_[0] = weight(lately_z_, floor(2));
  of_whole_[1] = weight(now[1].value, 1.0);
  const auto& driven = whole.driven();
  for (std::size_t k = 0, e = 2; k < driven.size(); ++k) {
    if (!driven[k]) continue;
    law_[k] = std::max(law_[k], std::abs(now[e].value));
    const double least = law_[k] > 0 ? ErrorShares::group * law_[k] : 1.0;
    of_whole_[e] = weight(now[e].value, std::max(least, ErrorShares::state * all));
    ++e;
  }
}

double ErrorScales::largest(const double* values) const {
  std::vector<double> of_tiles(tiling_->tiles);
  for_tiles([&](std::size_t tile, std::size_t begin, std::size_t end) {
    double most = 0;
    for (std::size_t i = begin; i < end; ++i) most = std::max(most, std::abs(values[i]));
    of_tiles[tile] = most;
  });
  return *std::max_element(of_tiles.begin(), of_tiles.end());
}

void ErrorScales::weigh_sites(std::size_t array, double floor, const double* values, double* weights) {
  double* const recent = recent_[array].data();
  for_tiles([&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      recent[i] = std::max(std::abs(values[i]), ErrorShares::fade * recent[i]);
      weights[i] = 1 / (local_ * (recent[i] + floor));
    }
  });
}

template <class Visit>
void ErrorScales::for_tiles(const Visit& visit) const {
  const auto one = [&](std::size_t tile) {
    visit(tile, tiling_->first(tile), tiling_->first(tile) + tiling_->own(tile));
  };
  if (tiling_->count < few_sites) {
    for (std::size_t tile = 0; tile < tiling_->tiles; ++tile) one(tile);
  } else {
    ensemble::each_in_parallel(tiling_->tiles, one);
  }
}

}  // namespace herglotz::families
