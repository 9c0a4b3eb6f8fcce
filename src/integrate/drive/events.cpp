#include "drive/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/integrate/numerics/find_zero.hpp"

namespace herglotz::integrate {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Fraction of the step over which the rates of the watched functions are computed.
constexpr double rate_share = 1e-6;
/// Distance from zero, relative to the values at the ends, within which a turning point is examined.
constexpr double near_zero = 0.05;
/// Largest difference between times that count as one, relative to the largest time of the run.
constexpr double resolution = 4 * epsilon;

int sign_of(double value) {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

}  // namespace

EventFinder::EventFinder(const Run& run) : run_(&run), watch_(run.watch) {
  if (!watching()) return;
  const std::size_t count = watch_->crossings.size();
  const kernel::Kernel& values = watch_->values;
  if (!values || values.variables() != run.dynamics.variables() || values.outputs() != count) {
    throw Refused(fmt::format("the kernel of watched functions must map {} variables to {} values",
                              run.dynamics.variables(), count));
  }
  if (run.dynamics.flow || run.dynamics.mass) rates_.emplace(run.dynamics, run.parameters);
  sign_.assign(count, 0);
  value_.resize(count);
  v_.resize(run.dynamics.variables());
  work_.resize(values.work_size());
  sample_.state.resize(run.dynamics.dimension());
  sample_.budget.resize(run.dynamics.laws);
}

void EventFinder::load(const Sample& sample) {
  const std::size_t size = run_->dynamics.n + run_->dynamics.r + 1;
  std::copy_n(sample.state.begin(), size, v_.begin());
  v_[size] = sample.t;
  std::copy(sample.multipliers.begin(), sample.multipliers.end(), v_.begin() + static_cast<std::ptrdiff_t>(size) + 1);
}

void EventFinder::evaluate(const Sample& sample, std::vector<double>& value) {
  load(sample);
  value.resize(watch_->crossings.size());
  watch_->values(v_.data(), run_->parameters.data(), value.data(), work_.data());
  for (std::size_t k = 0; k < value.size(); ++k) {
    if (std::isfinite(value[k])) continue;
    throw Stop{Status::not_finite, fmt::format("the event '{}' is not a finite number", watch_->crossings[k].name)};
  }
}

EventFinder::Point EventFinder::point(const Sample& sample, double step) {
  Point result{sample.t, {}, {}};
  evaluate(sample, result.value);
  if (!rates_ || !(*rates_)(v_.data())) return result;
  const Dynamics& d = run_->dynamics;
  const double ahead = rate_share * step;
  const std::size_t state = d.n + d.r + 1;
  shifted_ = v_;
  for (std::size_t i = 0; i < state; ++i) shifted_[i] += ahead * rates_->data()[i];
  shifted_[state] += ahead;
  if (d.differential())
    for (std::size_t A = 0; A < d.m; ++A) shifted_[state + 1 + A] += ahead * rates_->ell()[A];
  watch_->values(shifted_.data(), run_->parameters.data(), value_.data(), work_.data());
  result.rate.resize(value_.size());
  for (std::size_t k = 0; k < value_.size(); ++k) result.rate[k] = (value_[k] - result.value[k]) / ahead;
  return result;
}

void EventFinder::start(const Sample& sample) {
  if (!watching()) return;
  begin_ = point(sample, run_->settings.t_end - run_->t0);
  for (std::size_t k = 0; k < sign_.size(); ++k) sign_[k] = sign_of(begin_.value[k]);
}

/// Returns the times inside the step at which the cubic through the values and rates at its ends turns, if the cubic
/// changes sign more often than its ends show or turns near zero. Otherwise returns {}.
std::vector<double> EventFinder::turning_points(std::size_t k, const Point& end) const {
  if (begin_.rate.empty() || end.rate.empty()) return {};
  const double h = end.t - begin_.t;
  const double f0 = begin_.value[k];
  const double f1 = end.value[k];
  const double d0 = h * begin_.rate[k];
  const double d1 = h * end.rate[k];
  // f0 + d0 s + b s^2 + a s^3
  const double b = 3 * (f1 - f0) - 2 * d0 - d1;
  const double a = d0 + d1 - 2 * (f1 - f0);
  const double discriminant = b * b - 3 * a * d0;
  if (!(discriminant > 0)) return {};
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  std::vector<double> shares{q / (3 * a), d0 / q};
  std::erase_if(shares, [](double s) { return !(s > 0 && s < 1); });
  std::sort(shares.begin(), shares.end());
  int changes = sign_of(f0) != sign_of(f1) ? -1 : 0;
  bool near = false;
  double previous = f0;
  for (const double s : shares) {
    const double value = f0 + s * (d0 + s * (b + s * a));
    if (sign_of(value) != sign_of(previous)) ++changes;
    near = near || std::abs(value) < near_zero * std::max(std::abs(f0), std::abs(f1));
    previous = value;
  }
  if (sign_of(previous) != sign_of(f1)) ++changes;
  if (changes == 0 && !near) return {};
  for (double& s : shares) s = begin_.t + s * h;
  return shares;
}

void EventFinder::search(std::size_t k, const Point& end, const StateAt& state_at) {
  double t_a = begin_.t;
  double f_a = begin_.value[k];
  std::vector<double> times = turning_points(k, end);
  times.push_back(end.t);
  for (const double t : times) {
    double f = end.value[k];
    if (t != end.t) {
      state_at(t, sample_);
      evaluate(sample_, value_);
      f = value_[k];
    }
    const int sign = sign_of(f);
    if (sign != 0 && sign_[k] != 0 && sign != sign_[k]) locate(k, t_a, f_a, t, f, sign, state_at);
    if (sign != 0) sign_[k] = sign;
    t_a = t;
    f_a = f;
  }
}

void EventFinder::locate(std::size_t k, double t_a, double f_a, double t_b, double f_b, int sign_b,
                         const StateAt& state_at) {
  const Crossing& crossing = watch_->crossings[k];
  const bool forwards = run_->settings.t_end >= run_->t0;
  const bool rises = (sign_b > 0) == forwards;
  if (crossing.direction == (rises ? Direction::falling : Direction::rising)) return;
  const double tolerance = 2 * epsilon * std::max(std::abs(t_a), std::abs(t_b)) + 1e-14 * std::abs(t_b - begin_.t);
  // A motion need not go on smoothly behind the event at which its piece ends. A time that no steps reach is behind it.
  std::optional<Stop> unreached;
  const auto f = [&](double t) {
    try {
      state_at(t, sample_);
    } catch (const Stop& stop) {
      if (stop.status != Status::step_too_small) throw;
      unreached = stop;
      return f_b;
    }
    evaluate(sample_, value_);
    return value_[k];
  };
  if (crossing.stop && t_a == begin_.t && !begin_.rate.empty()) {
    // Behind the end of a piece that is much shorter than the step, shorter steps may go anywhere: look near the time
    // at which the function would vanish if it went on as it begins.
    constexpr double much_shorter = 1.0 / 16;
    constexpr double little_more = 1.03;
    const double soon = -f_a / begin_.rate[k];
    if (soon / (t_b - t_a) > 0 && soon / (t_b - t_a) < much_shorter) {
      const double near = t_a + little_more * soon;
      const double value = f(near);
      (sign_of(value) == sign_b ? t_b : t_a) = near;
      (sign_of(value) == sign_b ? f_b : f_a) = value;
    }
  }
  const double t = find_zero(f, t_a, f_a, t_b, f_b, tolerance);
  state_at(t, sample_);
  if (unreached) {
    evaluate(sample_, value_);
    constexpr double resolved = 1e-3;  // with the rounding of short times
    if (std::abs(value_[k]) > resolved * std::max(std::abs(f_a), std::abs(f_b))) throw Stop(*unreached);
  }
  found_.push_back({t, k, sample_});
}

std::optional<Sample> EventFinder::step(const Sample& end, const StateAt& state_at) {
  if (!watching()) return std::nullopt;
  Point at_end = point(end, end.t - begin_.t);
  found_.clear();
  for (std::size_t k = 0; k < sign_.size(); ++k) search(k, at_end, state_at);
  const bool forwards = at_end.t >= begin_.t;
  begin_ = std::move(at_end);
  std::stable_sort(found_.begin(), found_.end(),
                   [forwards](const Found& a, const Found& b) { return forwards ? a.t < b.t : a.t > b.t; });
  const auto emit = [this](std::size_t crossing, const Sample& sample) {
    if (watch_->found && !watch_->found(crossing, sample)) throw Stop{Status::cancelled, {}};
  };
  const Found* stop = nullptr;
  const double instant = resolution * std::max(std::abs(run_->t0), std::abs(run_->settings.t_end));
  for (const Found& found : found_) {
    const bool stops = watch_->crossings[found.crossing].stop;
    if (stop == nullptr) {
      emit(found.crossing, found.sample);
      if (stops) stop = &found;
    } else if (std::abs(found.t - stop->t) > instant) {
      break;
    } else if (!stops) {
      emit(found.crossing, stop->sample);
    }
  }
  if (stop == nullptr) return std::nullopt;
  stopped_by_ = stop->crossing;
  return stop->sample;
}

}  // namespace herglotz::integrate
