#include "stiff/projection_floor.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::integrate {

void ProjectionFloor::note(const double* correction) {
  for (std::size_t i = 0; i < moved_.size(); ++i) moved_[i] = std::abs(correction[i]);
}

void ProjectionFloor::count(std::size_t rejected) {
  constexpr std::size_t steps_between_looks = 16;
  constexpr double margin = 4;
  for (std::size_t i = 0; i < moved_.size(); ++i) largest_[i] = std::max(largest_[i], moved_[i]);
  if (++steps_ % steps_between_looks != 0) return;
  const bool stuck = 2 * (rejected - rejected_) >= steps_between_looks;
  rejected_ = rejected;
  for (std::size_t i = 0; i < floor_.size(); ++i)
    floor_[i] = std::max(stuck ? margin * largest_[i] : 0.0, floor_[i] / 2);
  std::fill(largest_.begin(), largest_.end(), 0.0);
}

void ProjectionFloor::bound(double* weights) const {
  for (std::size_t i = 0; i < floor_.size(); ++i)
    if (weights[i] * floor_[i] > 1) weights[i] = 1 / floor_[i];
}

}  // namespace herglotz::integrate
