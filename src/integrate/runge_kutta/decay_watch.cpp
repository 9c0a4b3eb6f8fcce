#include "runge_kutta/decay_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace herglotz::integrate {
namespace {

constexpr std::size_t steps_between_looks = 4096;
/// Looks in a row that must find short steps: a single one may fall into a short part of the motion.
constexpr int looks_needed = 2;
/// Steps of this many 1/r resolve no decay e^{-rt}. The pair of Prince and Dormand is stable up to about 5.
constexpr double coarse = 3;
constexpr int iterations = 12;
/// Part of the slope that may lie across the direction if the eigenvalue is to count as real.
constexpr double most_turning = 0.2;

}  // namespace

void DecayWatch::count(RightSide& right_side, std::size_t made, double t, const double* y) {
  steps_ += made;
  if (rate_ || steps_ < looked_at_ + steps_between_looks) return;
  const double step = t_looked_ ? std::abs(t - *t_looked_) / static_cast<double>(steps_ - looked_at_) : 0;
  looked_at_ = steps_;
  t_looked_ = t;
  const std::optional<double> rate = step > 0 ? fastest_decay(right_side, t, y) : std::nullopt;
  looks_ = rate && *rate * step > coarse ? looks_ + 1 : 0;
  if (looks_ == looks_needed) rate_ = rate;
}

void DecayWatch::explain(Outcome& outcome) const {
  if (!rate_) return;
  outcome.reason = {fmt::format("the steps follow a decay at rate {:.2g} that the motion no longer shows", *rate_),
                    "methods radau-5 and stiff take steps as long as the motion allows"};
}

std::optional<double> DecayWatch::fastest_decay(RightSide& right_side, double t, const double* y) {
  const std::size_t size = right_side.size();
  slope_.resize(size);
  if (!right_side(t, y, slope_.data())) return std::nullopt;
  // Entries are measured by their own size, or by the largest one where they are small beside it.
  double largest = 0;
  for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, std::abs(y[i]));
  if (largest == 0) largest = 1;
  scale_.resize(size);
  direction_.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    constexpr double least = 1e-6;
    scale_[i] = std::max(std::abs(y[i]), least * largest);
    // Unlike entries are orthogonal to no direction that a model would single out.
    direction_[i] = 1 + 0.3 * std::sin(1.0 + static_cast<double>(i));
  }
  moved_.resize(size);
  slope_moved_.resize(size);
  const double shift = std::sqrt(std::numeric_limits<double>::epsilon());
  double along = 0;
  double across = 0;
  for (int k = 0; k < iterations; ++k) {
    double square = 0;
    for (const double entry : direction_) square += entry * entry;
    const double norm = std::sqrt(square);
    if (!(norm > 0) || !std::isfinite(norm)) return std::nullopt;
    for (std::size_t i = 0; i < size; ++i) {
      direction_[i] /= norm;
      moved_[i] = y[i] + shift * scale_[i] * direction_[i];
    }
    if (!right_side(t, moved_.data(), slope_moved_.data())) return std::nullopt;
    along = 0;
    double length = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double change = (slope_moved_[i] - slope_[i]) / (shift * scale_[i]);
      along += change * direction_[i];
      length += change * change;
      slope_moved_[i] = change;
    }
    across = std::sqrt(std::max(0.0, length - along * along));
    direction_.swap(slope_moved_);
  }
  if (!(along < 0) || !(across < most_turning * -along)) return std::nullopt;
  return -along;
}

}  // namespace herglotz::integrate
