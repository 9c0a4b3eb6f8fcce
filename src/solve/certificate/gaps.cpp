#include "certificate/gaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "certificate/measures.hpp"
#include "collocation.hpp"
#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

constexpr std::size_t intervals_of_gaps = 32;  ///< whose derivatives are computed together
constexpr double least_cost = 1e-6;            ///< below which a cost is taken for 0, in its unit
constexpr double near_bound = 1e-6;            ///< in parts of a bound or of the distance of both

/// Quadrature that sees jumps between the stages of the methods.
const Collocation& finer() {
  static const Collocation method(8);
  return method;
}

/// Returns whether a control counts on an interval. With inequalities all do, as steps do not see what they do to
/// controls.
bool counts(const Setup& setup, const Interval& interval, std::size_t u) {
  if (!setup.form.inequalities.empty()) return true;
  return setup.is_bounded(u) && (setup.is_linear(u) || interval.mixed || interval.held[u] != Hold::free);
}

/// Returns how far a convex K is from its least value over a control inside its bounds, to second order in the control.
/// What lies between the stages may leave the bounds, and have a K that is too low.
double distance(double down, double up, double slope, double curvature) {
  const auto change = [&](double step) { return step * (slope + curvature * step / 2); };
  if (curvature > 0) return std::abs(change(std::clamp(-slope / curvature, down, up)));
  double least = std::numeric_limits<double>::infinity();
  for (const double step : {down, up})
    if (std::isfinite(step)) least = std::min(least, change(step));
  return std::isfinite(least) ? std::abs(least) : 0;
}

}  // namespace

double size_of_cost(const Setup& setup, const Path& path) {
  const std::size_t cost = setup.form.cost();
  double size = std::abs(cost_of(setup, path) - path.intervals.back().v1[cost]);
  for (const Interval& interval : path.intervals) size += std::abs(interval.v1[cost] - interval.v0[cost]);
  return std::max(size, least_cost);
}

Gaps gaps_of(const Setup& setup, const Path& path) {
  Gaps gaps{Values(path.intervals.size(), 0.0)};
  if (setup.by_group || setup.is_smooth()) return gaps;
  const std::size_t controls = setup.problem.controls.size();
  std::vector<std::size_t> which;
  for (std::size_t k = 0; k < path.intervals.size(); ++k) {
    const Interval& interval = path.intervals[k];
    bool any = false;
    for (std::size_t u = 0; u < controls; ++u) any = any || counts(setup, interval, u);
    if (any) which.push_back(k);
  }
  const std::span<const std::size_t> all = which;
  const auto points = static_cast<std::size_t>(finer().c.size());
  for (std::size_t first = 0; first < all.size(); first += intervals_of_gaps) {
    const auto part = all.subspan(first, std::min(intervals_of_gaps, all.size() - first));
    std::vector<Stage> stages;
    for (const std::size_t k : part) {
      const Interval& interval = path.intervals[k];
      for (const double c : finer().c) {
        stages.push_back(at(interval, interval.t + c * interval.h));
        setup.keep(interval.held, stages.back().w);
      }
    }
    const StageDerivatives e = derivatives_at(setup, stages, 1);
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const std::size_t k = part[i / points];
      const double weight = finer().b[static_cast<Eigen::Index>(i % points)] * path.intervals[k].h;
      for (std::size_t u = 0; u < controls; ++u) {
        if (!counts(setup, path.intervals[k], u)) continue;
        const auto place = static_cast<Eigen::Index>(setup.d() + u);
        // Where K is not convex, its second derivative says nothing of far controls, which the maximum condition
        // compares.
        const double curvature = std::max(e.H[i](place, place), 0.0);
        const auto missed = [&](double w) {
          return weight * distance(setup.lower[u] - w, setup.upper[u] - w, e.slope[i][place], curvature);
        };
        const double w = stages[i].w[u];
        const Hold near = setup.hold_of(u, w, near_bound);
        gaps.of_intervals[k] += missed(near == Hold::free ? w : setup.bound(u, near));
        gaps.of_cost += missed(w);
      }
      for (std::size_t j = setup.equations(); j < setup.along(); ++j) {
        const double product = std::abs(stages[i].kappa[j] * e.f[i][static_cast<Eigen::Index>(setup.d() + j)]);
        gaps.of_intervals[k] += weight * product;
        gaps.of_cost += weight * product;
      }
    }
  }
  return gaps;
}

bool misses_controls(const Setup& setup, const Path& path) {
  constexpr double noticeable = 1e-7;
  return gaps_of(setup, path).of_cost > noticeable * size_of_cost(setup, path);
}

}  // namespace herglotz::solve
