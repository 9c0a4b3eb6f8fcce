#include "runge_kutta/decay_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace herglotz::integrate {
namespace {

constexpr std::size_t steps_between_looks = 4096;
/// Looks in a row that must find short steps: a single one may fall into a short part of the motion.
constexpr int looks_needed = 2;
/// Steps of this many 1/r resolve no decay e^{-rt}. The pair of Prince and Dormand is stable up to about 5.
constexpr double coarse = 3;
constexpr int iterations = 12;
/// The same of an oscillation e^{(-r + i w) t} that steps do not resolve, in units of 1/|r + i w|: next to the
/// imaginary axis the pair is stable up to about 3.4.
constexpr double coarse_for_turns = 2.5;
/// Share of r in |r + i w| from which on an oscillation is gone after a look.
constexpr double least_damping = 0.01;
/// Part of the slope that may lie across the direction if the eigenvalue is to count as real.
constexpr double most_turning = 0.2;
/// Part of the second slope that may lie across the plane of both directions before it, if there is to be a pair.
constexpr double most_outside = 0.05;

}  // namespace

void DecayWatch::count(RightSide& right_side, std::size_t made, double t, const double* y) {
  steps_ += made;
  if (decay_ || steps_ < looked_at_ + steps_between_looks) return;
  const double step = t_looked_ ? std::abs(t - *t_looked_) / static_cast<double>(steps_ - looked_at_) : 0;
  looked_at_ = steps_;
  t_looked_ = t;
  const std::optional<Decay> found = step > 0 ? fastest_decay(right_side, t, y) : std::nullopt;
  const bool short_steps =
      found && std::hypot(found->rate, found->frequency) * step > (found->frequency > 0 ? coarse_for_turns : coarse);
  looks_ = short_steps ? looks_ + 1 : 0;
  if (looks_ == looks_needed) decay_ = found;
}

void DecayWatch::explain(Outcome& outcome) const {
  if (!decay_) return;
  outcome.reason = {fmt::format("the steps follow {} that the motion no longer shows", decay_->text()),
                    "methods radau-5 and stiff take steps as long as the motion allows"};
}

namespace {

/// Changes of the slope f along directions, whose entries are in units of scale.
class SlopeChange {
 public:
  /// Looks at f(t, y). By its Jacobian if there is one: differences see nothing of rates that change over shorter ways
  /// than round-off of the largest entry, as those of friction at a slow slip do.
  SlopeChange(RightSide& right_side, double t, const double* y)
      : right_side_(&right_side), t_(t), y_(y), size_(right_side.size()), slope_(size_), scale_(size_), moved_(size_) {
    // Entries are measured by their own size, or by the largest one where they are small beside it.
    double largest = 0;
    for (std::size_t i = 0; i < size_; ++i) largest = std::max(largest, std::abs(y[i]));
    if (largest == 0) largest = 1;
    constexpr double least = 1e-6;
    for (std::size_t i = 0; i < size_; ++i) scale_[i] = std::max(std::abs(y[i]), least * largest);
    exact_ = right_side.has_small_jacobian();
    if (exact_) columns_.resize(size_ * size_);
    defined_ = exact_ ? right_side.jacobian(t, y, columns_.data()) : right_side(t, y, slope_.data());
  }

  [[nodiscard]] bool defined() const { return defined_; }

  /// Returns the part of a change that may be rounding, with a margin.
  [[nodiscard]] double rounding() const { return exact_ ? 1e-10 : 1e-4; }

  /// Writes the change along a direction. Returns false if it is not defined.
  bool operator()(const std::vector<double>& direction, std::vector<double>& change) {
    if (exact_) {
      for (std::size_t i = 0; i < size_; ++i) {
        change[i] = 0;
        for (std::size_t j = 0; j < size_; ++j)
          change[i] += columns_[j * size_ + i] * scale_[j] * direction[j] / scale_[i];
      }
      return true;
    }
    const double shift = std::sqrt(std::numeric_limits<double>::epsilon());
    for (std::size_t i = 0; i < size_; ++i) moved_[i] = y_[i] + shift * scale_[i] * direction[i];
    if (!(*right_side_)(t_, moved_.data(), change.data())) return false;
    for (std::size_t i = 0; i < size_; ++i) change[i] = (change[i] - slope_[i]) / (shift * scale_[i]);
    return true;
  }

 private:
  RightSide* right_side_;
  double t_;
  const double* y_;
  std::size_t size_;
  std::vector<double> slope_;
  std::vector<double> scale_;
  std::vector<double> moved_;
  std::vector<double> columns_;  // of the Jacobian
  bool exact_ = false;
  bool defined_ = false;
};

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Returns the eigenvalues -r +- i w of J in the plane of b and d = J b if J d lies in it, and if they are a pair whose
/// oscillation is damped. The smaller of both directions across the other has to be more than a share of it.
std::optional<Decay> damped_pair(std::vector<double> b, const std::vector<double>& d, const std::vector<double>& Jd,
                                 double least_across) {
  const double size = std::sqrt(product(b, b));
  for (double& entry : b) entry /= size;
  const double ahead = product(b, d);
  std::vector<double> across(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) across[i] = d[i] - ahead * b[i];
  const double width = std::sqrt(product(across, across));
  if (!(width > least_across * std::abs(ahead))) return std::nullopt;
  for (double& entry : across) entry /= width;
  const double now_across = product(across, Jd);
  const double now_ahead = product(b, Jd);
  const double length = product(Jd, Jd);
  const double outside = length - now_across * now_across - now_ahead * now_ahead;
  // J d = p d - q b, and the eigenvalues have the sum p and the product q.
  const double p = now_across / width;
  const double q = (p * ahead - now_ahead) / size;
  if (!(outside < most_outside * most_outside * length) || !(p * p < 4 * q)) return std::nullopt;
  const double rate = -p / 2;
  if (!(rate > least_damping * std::sqrt(q))) return std::nullopt;
  return Decay{rate, std::sqrt(q - rate * rate)};
}

}  // namespace

std::optional<Decay> DecayWatch::fastest_decay(RightSide& right_side, double t, const double* y) {
  SlopeChange slope(right_side, t, y);
  if (!slope.defined()) return std::nullopt;
  const std::size_t size = right_side.size();
  std::vector<double> direction(size);
  // Unlike entries are orthogonal to no direction that a model would single out.
  for (std::size_t i = 0; i < size; ++i) direction[i] = 1 + 0.3 * std::sin(1.0 + static_cast<double>(i));
  std::vector<double> change(size);
  std::vector<double> before(size);  // the direction before this one, in units of its change
  double along = 0;
  double across = 0;
  for (int k = 0; k < iterations; ++k) {
    double square = 0;
    for (const double entry : direction) square += entry * entry;
    const double norm = std::sqrt(square);
    if (!(norm > 0) || !std::isfinite(norm)) return std::nullopt;
    for (double& entry : direction) entry /= norm;
    for (double& entry : before) entry /= norm;
    if (!slope(direction, change)) return std::nullopt;
    along = 0;
    double length = 0;
    for (std::size_t i = 0; i < size; ++i) {
      along += change[i] * direction[i];
      length += change[i] * change[i];
    }
    across = std::sqrt(std::max(0.0, length - along * along));
    if (k + 1 == iterations) break;
    before = direction;
    direction.swap(change);
  }
  if (const auto pair = damped_pair(before, direction, change, slope.rounding())) return pair;
  if (!(along < 0) || !(across < most_turning * -along)) return std::nullopt;
  return Decay{-along, 0};
}

}  // namespace herglotz::integrate
