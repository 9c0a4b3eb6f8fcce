#include "hybrid/accumulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace herglotz::simulate {
namespace {

constexpr double negligible = 1e-11;
constexpr std::size_t most_at_once = 100;
/// Largest ratio of successive times between jumps that counts as shrinking.
constexpr double shrinking = 1 - 1e-6;

}  // namespace

std::optional<double> Accumulation::add(double t) {
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), span_);
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
