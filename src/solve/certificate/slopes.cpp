#include "certificate/slopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "certificate/measures.hpp"
#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

constexpr std::size_t intervals_of_slopes = 64;  ///< whose derivatives are computed together
constexpr double no_rounding = 0.01;             ///< a relative slope by controls
constexpr double least_term = 1e-6;              ///< terms of K that are smaller are rounding
constexpr double inside = 1e-3;                  ///< of bounds, in parts of their distance

/// Rates F at a stage, and the derivatives of K by (v, w, h, t).
struct Slopes {
  const double* F;
  const double* by;
};

/// Calls `use(interval, i, slopes)` with the derivatives at all stages i.
template <class Use>
void at_stages(const Setup& setup, const Path& path, const Use& use) {
  const std::span<const Interval> all = path.intervals;
  std::vector<StageOf> stages;
  for (std::size_t first = 0; first < all.size(); first += intervals_of_slopes) {
    const auto part = all.subspan(first, std::min(intervals_of_slopes, all.size() - first));
    stages.clear();
    for (const Interval& interval : part)
      for (const Stage& stage : interval.stages) stages.push_back({&stage, 1});
    const StageDerivatives e = derivatives_at(setup, stages, Orders::first);
    std::size_t place = 0;
    for (const Interval& interval : part) {
      for (std::size_t i = 0; i < interval.stages.size(); ++i, ++place)
        use(interval, i, Slopes{e.f[place].data(), e.slope[place].data()});
    }
  }
}

/// Returns the sum of the sizes of the terms of P.F.
double size_of_terms(const Values& P, const double* F) {
  double size = 0;
  for (std::size_t a = 0; a < P.size(); ++a) size += std::abs(P[a] * F[a]);
  return size;
}

}  // namespace

double slope_by_duration(const Setup& setup, const Collocation& method, const Path& path) {
  const double T = path.end() - path.start();
  double slope = 0;
  double size = 0;
  at_stages(setup, path, [&](const Interval& interval, std::size_t i, const Slopes& slopes) {
    const Stage& stage = interval.stages[i];
    const double weight = method.b[static_cast<Eigen::Index>(i)] * interval.h / T;
    const double by_time = (stage.t - setup.t0) * slopes.by[setup.d() + setup.m() + 1];
    double K = 0;
    for (std::size_t a = 0; a < setup.d(); ++a) K += stage.P[a] * slopes.F[a];
    slope += weight * (K + by_time);
    size += weight * (std::abs(by_time) + size_of_terms(stage.P, slopes.F));
  });
  const auto& places = setup.ends.jacobian();
  Values entries(places.row.size());
  setup.ends.jacobian(end_point(path), entries);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (places.col[e] != 2 * setup.d()) continue;
    const double of_end = (places.row[e] == 0 ? setup.sign : path.ends[places.row[e] - 1]) * entries[e];
    slope += of_end;
    size += std::abs(of_end);
  }
  return size > 0 ? slope / size : 0;
}

bool ControlSlope::is_large() const {
  return relative > no_rounding;
}

ControlSlope largest_control_slope(const Setup& setup, const Path& path) {
  ControlSlope result;
  if (setup.by_group) return result;
  double size = 0;
  double largest = 0;
  at_stages(setup, path, [&](const Interval& interval, std::size_t i, const Slopes& slopes) {
    const Stage& stage = interval.stages[i];
    size = std::max(size, size_of_terms(stage.P, slopes.F));
    for (std::size_t u = 0; u < interval.held.size(); ++u) {
      if (interval.held[u] != Hold::free || setup.hold_of(u, stage.w[u], inside) != Hold::free) continue;
      const double by_control = slopes.by[setup.d() + u];
      if (!(std::abs(by_control * stage.w[u]) > largest)) continue;
      largest = std::abs(by_control * stage.w[u]);
      const bool grows = by_control * stage.w[u] < 0;  // K is least along the controls
      const double bound = by_control < 0 ? setup.upper[u] : setup.lower[u];
      result.unbounded = grows && !std::isfinite(bound) ? std::optional(u) : std::nullopt;
    }
  });
  if (size > least_term) result.relative = largest / size;
  return result;
}

std::string falling_with_controls(const Setup& setup, const Path& path, const ControlSlope& slope) {
  if (!slope.is_large() || !slope.unbounded) return {};
  const std::size_t u = *slope.unbounded;
  const char* missing = "bounds";
  if (std::isfinite(setup.lower[u])) missing = "an upper bound";
  if (std::isfinite(setup.upper[u])) missing = "a lower bound";
  return fmt::format("there is no best solution: the cost {} as long as |{}| grows, as far as {:.6g}; give '{}' {}",
                     improves(setup), setup.problem.controls[u].name(), cost_in_model(setup, path),
                     setup.problem.controls[u].name(), missing);
}

}  // namespace herglotz::solve
