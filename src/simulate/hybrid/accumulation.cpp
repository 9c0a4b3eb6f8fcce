#include "hybrid/accumulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace herglotz::simulate {
namespace {

constexpr double negligible = 1e-11;
constexpr std::size_t most_at_once = 100;
/// Largest ratio of successive times between jumps that counts as shrinking.
constexpr double shrinking = 1 - 1e-6;
/// Bound of the rounding of numbers relative to their terms.
constexpr double round_off = 8 * std::numeric_limits<double>::epsilon();

}  // namespace

void Accumulation::restart() {
  times_.clear();
  landed_.clear();
  flat_ = 0;
}

std::optional<double> Accumulation::add(double t, const std::optional<Landing>& landing) {
  const double rounding = round_off * std::max(std::abs(t), span_);
  if (landing) {
    const auto [last, first] = landed_.try_emplace(landing->impact, t);
    const double time = t - std::exchange(last->second, t);
    // Impacts at one time may turn velocities round and round, as those of balls that touch do, and are no hops.
    if (first || time > rounding)
      flat_ = !first && landing->speed * time / 4 <= round_off * landing->size ? flat_ + 1 : 0;
    if (flat_ >= looks) return t;
  }
  standing_ = !times_.empty() && std::abs(t - times_.back()) <= rounding ? standing_ + 1 : 0;
  if (standing_ >= most_at_once) return t;
  times_.push_back(t);
  if (times_.size() > looks) times_.pop_front();
  if (times_.size() < looks) return std::nullopt;
  double ratio = 0;
  for (std::size_t k = 2; k < times_.size(); ++k) {
    const double before = times_[k - 1] - times_[k - 2];
    const double now = times_[k] - times_[k - 1];
    if (!(before > 0) || !(now > 0)) return std::nullopt;
    ratio = std::max(ratio, now / before);
  }
  if (!(ratio < shrinking)) return std::nullopt;
  const double rest = (times_.back() - times_[times_.size() - 2]) * ratio / (1 - ratio);
  if (!(rest <= negligible * std::max(span_, std::abs(t)))) return std::nullopt;
  return t + rest;
}

}  // namespace herglotz::simulate
