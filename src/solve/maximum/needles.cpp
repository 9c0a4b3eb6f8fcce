#include "maximum/needles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "maximum/range.hpp"

namespace herglotz::solve {
namespace {

constexpr double jump = 0.1;  ///< of a control, in parts of its range along the path
constexpr std::size_t most_arcs = 24;
constexpr std::size_t most_intervals = 160;  ///< about, of the first mesh
constexpr std::size_t fewest_of_arc = 4;     ///< intervals

/// A stage of the path, with the controls that it is to have.
struct Sample {
  double t;
  std::size_t interval;
  std::vector<double> controls;
  std::size_t arc = 0;  ///< on the new mesh
};

bool is_in_middle(const Path& path, double t) {
  return std::abs(t - (path.start() + path.end()) / 2) < (path.end() - path.start()) / 6;
}

std::vector<Sample> samples_of(const Path& path, const MaximumCondition& condition, Needles needles) {
  std::vector<Sample> samples;
  for (std::size_t k = 0; k < path.intervals.size(); ++k) {
    for (const Stage& stage : path.intervals[k].stages) {
      const std::vector<double>& best = condition.controls[samples.size()];
      const bool is_taken =
          condition.falls[samples.size()] > 0 && (needles != Needles::middle || is_in_middle(path, stage.t));
      samples.push_back({stage.t, k, best});
      if (!is_taken) std::copy_n(stage.w.begin(), best.size(), samples.back().controls.begin());
    }
  }
  return samples;
}

/// Returns the means of the controls, and in the middle those that are better where H rises most.
std::vector<Sample> coarse_samples(const Path& path, const MaximumCondition& condition) {
  std::vector<Sample> samples;
  const auto most = std::max_element(condition.falls.begin(), condition.falls.end());
  const auto& best = condition.controls[static_cast<std::size_t>(most - condition.falls.begin())];
  std::vector<double> means(best.size());
  for (std::size_t k = 0; k < path.intervals.size(); ++k) {
    const Interval& interval = path.intervals[k];
    const double share = interval.h / (path.end() - path.start()) / static_cast<double>(interval.stages.size());
    for (const Stage& stage : interval.stages) {
      samples.push_back({stage.t, k, best});
      for (std::size_t u = 0; u < means.size(); ++u) means[u] += share * stage.w[u];
    }
  }
  for (Sample& sample : samples)
    if (!is_in_middle(path, sample.t)) sample.controls = means;
  return samples;
}

/// Returns the place of the control that jumps most, in parts of its range.
std::size_t most_jumping(const Path& path, const std::vector<Range>& ranges) {
  std::vector<double> jumps(ranges.size());
  const Stage* before = nullptr;
  for (const Interval& interval : path.intervals) {
    for (const Stage& stage : interval.stages) {
      for (std::size_t u = 0; before != nullptr && u < ranges.size(); ++u)
        if (ranges[u].width() > 0) jumps[u] += std::abs(stage.w[u] - before->w[u]) / ranges[u].width();
      before = &stage;
    }
  }
  return static_cast<std::size_t>(std::max_element(jumps.begin(), jumps.end()) - jumps.begin());
}

/// Returns the means of the controls where one of them is in the lower half of its range, and of those where it is in
/// the upper one, one after the other.
std::vector<Sample> sorted_samples(const Path& path, bool rising) {
  const std::size_t controls = path.intervals.front().held.size();
  std::vector<Range> ranges(controls, {Range::all().high, Range::all().low});
  for (const Interval& interval : path.intervals)
    for (const Stage& stage : interval.stages)
      for (std::size_t u = 0; u < controls; ++u) ranges[u] = hull(ranges[u], Range::at(stage.w[u]));
  const std::size_t sorted = most_jumping(path, ranges);
  const double middle = ranges[sorted].low + ranges[sorted].width() / 2;
  std::array<std::vector<double>, 2> sums{std::vector<double>(controls), std::vector<double>(controls)};
  std::array<double, 2> durations{};
  for (const Interval& interval : path.intervals) {
    for (const Stage& stage : interval.stages) {
      const double share = interval.h / static_cast<double>(interval.stages.size());
      const std::size_t half = stage.w[sorted] > middle ? 1 : 0;
      durations[half] += share;
      for (std::size_t u = 0; u < controls; ++u) sums[half][u] += share * stage.w[u];
    }
  }
  const std::size_t first = rising ? 0 : 1;
  std::vector<Sample> samples;
  for (std::size_t k = 0; k < path.intervals.size(); ++k) {
    for (const Stage& stage : path.intervals[k].stages) {
      const std::size_t half = stage.t - path.start() < durations[first] ? first : 1 - first;
      samples.push_back({stage.t, k, sums[half]});
      for (double& value : samples.back().controls) value /= durations[half];
    }
  }
  return samples;
}

/// Returns the ranges of the controls along the samples.
std::vector<double> ranges_of(const std::vector<Sample>& samples) {
  std::vector<double> ranges;
  for (std::size_t u = 0; u < samples.front().controls.size(); ++u) {
    const auto [least, most] =
        std::minmax_element(samples.begin(), samples.end(),
                            [&](const Sample& a, const Sample& b) { return a.controls[u] < b.controls[u]; });
    ranges.push_back(most->controls[u] - least->controls[u]);
  }
  return ranges;
}

bool jumps(const Sample& a, const Sample& b, const std::vector<double>& ranges) {
  for (std::size_t u = 0; u < ranges.size(); ++u)
    if (std::abs(b.controls[u] - a.controls[u]) > jump * ranges[u]) return true;
  return false;
}

/// Returns the path at a time of a new arc, with the controls of the nearest sample of that arc.
Stage stage_at(const Path& path, const std::vector<Sample>& samples, std::size_t arc, double t) {
  Stage stage = at(path.intervals[interval_of(path, t)], t);
  stage.bound.assign(stage.bound.size(), 0.0);
  const Sample* nearest = nullptr;
  for (const Sample& sample : samples)
    if (sample.arc == arc && (nearest == nullptr || std::abs(sample.t - t) < std::abs(nearest->t - t)))
      nearest = &sample;
  std::copy(nearest->controls.begin(), nearest->controls.end(), stage.w.begin());
  return stage;
}

/// Ends of new arcs, and the old arcs whose linear controls they have.
struct Arcs {
  std::vector<double> ends;
  std::vector<std::size_t> old{0};
};

/// Divides the path where controls jump, and gives the samples their arcs.
Arcs arcs_between_jumps(const Path& path, std::vector<Sample>& samples) {
  const std::vector<double> ranges = ranges_of(samples);
  const auto old_arc = [&](const Sample& sample) { return path.intervals[sample.interval].arc; };
  Arcs arcs;
  for (std::size_t k = 1; k < samples.size(); ++k) {
    const Sample& before = samples[k - 1];
    const bool changes = old_arc(before) != old_arc(samples[k]);
    if (changes || jumps(before, samples[k], ranges)) {
      arcs.ends.push_back(changes ? path.intervals[samples[k].interval].t : (before.t + samples[k].t) / 2);
      arcs.old.push_back(old_arc(samples[k]));
    }
    samples[k].arc = arcs.ends.size();
  }
  arcs.ends.push_back(path.end());
  return arcs;
}

}  // namespace

std::optional<WarmStart> with_needles(const WarmStart& found, const MaximumCondition& condition, Needles needles) {
  const Path& path = found.path;
  std::vector<Sample> samples = samples_of(path, condition, needles);
  Arcs arcs = arcs_between_jumps(path, samples);
  const bool jumps_often = arcs.ends.size() > most_arcs;
  const bool is_sorted = needles == Needles::rising || needles == Needles::falling;
  if (is_sorted && !jumps_often) return std::nullopt;
  if (jumps_often && needles != Needles::everywhere && found.mesh.arcs.size() == 1) {
    samples = is_sorted ? sorted_samples(path, needles == Needles::rising) : coarse_samples(path, condition);
    arcs = arcs_between_jumps(path, samples);
  }
  if (arcs.ends.size() > most_arcs) return std::nullopt;
  const auto& ends = arcs.ends;
  WarmStart result;
  result.path.ends = path.ends;
  const double share =
      static_cast<double>(std::min(path.intervals.size(), most_intervals)) / (path.end() - path.start());
  const Interval& first = path.intervals.front();
  double begin = path.start();
  for (std::size_t a = 0; a < ends.size(); ++a) {
    Arc arc;
    arc.held = found.mesh.arcs[arcs.old[a]].held;
    arc.duration = ends[a] - begin;
    arc.nodes = equal_nodes(std::max(fewest_of_arc, static_cast<std::size_t>(std::lround(share * arc.duration))));
    for (std::size_t k = 0; k + 1 < arc.nodes.size(); ++k) {
      Interval interval;
      interval.arc = a;
      interval.held = arc.held;
      interval.t = begin + arc.nodes[k] * arc.duration;
      interval.h = (arc.nodes[k + 1] - arc.nodes[k]) * arc.duration;
      for (const Stage& like : first.stages)
        interval.stages.push_back(stage_at(path, samples, a, interval.t + (like.t - first.t) / first.h * interval.h));
      const Stage start = stage_at(path, samples, a, interval.t);
      const Stage end = stage_at(path, samples, a, interval.t + interval.h);
      std::tie(interval.v0, interval.P0) = std::tie(start.v, start.P);
      std::tie(interval.v1, interval.P1) = std::tie(end.v, end.P);
      result.path.intervals.push_back(std::move(interval));
    }
    result.path.durations.push_back(arc.duration);
    result.mesh.arcs.push_back(std::move(arc));
    begin = ends[a];
  }
  return result;
}

}  // namespace herglotz::solve
