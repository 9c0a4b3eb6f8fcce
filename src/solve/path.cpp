#include "path.hpp"

#include <algorithm>
#include <cmath>

#include "collocation.hpp"

namespace herglotz::solve {
namespace {

constexpr double same_node = 1e-6;  ///< of two nodes, in parts of an interval

void add(Values& to, double weight, const Values& value) {
  if (to.empty()) to.assign(value.size(), 0.0);
  for (std::size_t i = 0; i < value.size(); ++i) to[i] += weight * value[i];
}

}  // namespace

Mesh split(const Mesh& mesh, const Values& errors, const std::vector<bool>& changes, double target, double order) {
  Mesh finer;
  std::size_t k = 0;
  for (const Arc& arc : mesh.arcs) {
    Arc next = arc;
    next.nodes = {0};
    next.kept.clear();
    for (std::size_t i = 0; i + 1 < arc.nodes.size(); ++i, ++k) {
      double parts = errors[k] > target ? std::ceil(std::pow(errors[k] / target, 1 / order)) : 1;
      if (changes[k]) parts = std::max(parts, 4.0);
      const auto count = static_cast<std::size_t>(std::clamp(parts, 1.0, 8.0));
      if (!arc.kept.empty()) next.kept.insert(next.kept.end(), count, arc.kept[i]);
      for (std::size_t part = 1; part < count; ++part)
        next.nodes.push_back(arc.nodes[i] + (arc.nodes[i + 1] - arc.nodes[i]) * static_cast<double>(part) /
                                                static_cast<double>(count));
      next.nodes.push_back(arc.nodes[i + 1]);
    }
    finer.arcs.push_back(std::move(next));
  }
  return finer;
}

Values equal_nodes(std::size_t count) {
  Values nodes;
  for (std::size_t k = 0; k <= count; ++k) nodes.push_back(static_cast<double>(k) / static_cast<double>(count));
  return nodes;
}

Mesh with_intervals(const Mesh& mesh, std::size_t intervals) {
  constexpr std::size_t fewest = 4;  // of an arc
  double duration = 0;
  for (const Arc& arc : mesh.arcs) duration += arc.duration;
  const auto share_of = [&](double part, std::size_t least) {
    return std::max(least, static_cast<std::size_t>(std::lround(static_cast<double>(intervals) * part / duration)));
  };
  Mesh result;
  for (const Arc& arc : mesh.arcs) {
    Arc next = arc;
    if (arc.kept.empty()) {
      next.nodes = equal_nodes(share_of(arc.duration, mesh.arcs.size() == 1 ? 1 : fewest));
      result.arcs.push_back(std::move(next));
      continue;
    }
    next.nodes = {0};
    next.kept.clear();
    for (std::size_t first = 0, last = 0; first < arc.kept.size(); first = last) {
      while (last < arc.kept.size() && arc.kept[last] == arc.kept[first]) ++last;
      const double begin = arc.nodes[first];
      const double length = arc.nodes[last] - begin;
      const Values parts = equal_nodes(share_of(length * arc.duration, last - first));
      for (std::size_t k = 1; k + 1 < parts.size(); ++k) next.nodes.push_back(begin + parts[k] * length);
      next.nodes.push_back(arc.nodes[last]);
      next.kept.insert(next.kept.end(), parts.size() - 1, arc.kept[first]);
    }
    result.arcs.push_back(std::move(next));
  }
  return result;
}

Stage at(const Interval& interval, double t) {
  const double x = (t - interval.t) / interval.h;
  Values stages;
  for (const Stage& stage : interval.stages) stages.push_back((stage.t - interval.t) / interval.h);
  // The ends are nodes of the states beside the stages; stages at the ends are the same nodes, but for rounding of
  // their times.
  const auto is_inside = [](double node) { return node > same_node && node < 1 - same_node; };
  Values all{0};
  for (const double node : stages)
    if (is_inside(node)) all.push_back(node);
  all.push_back(1);
  const auto with_ends = interpolation(all, x);
  const auto inner = interpolation(stages, x);
  Stage result;
  result.t = t;
  add(result.v, with_ends.front(), interval.v0);
  add(result.P, with_ends.front(), interval.P0);
  std::size_t next = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Stage& stage = interval.stages[i];
    if (is_inside(stages[i])) {
      ++next;
      add(result.v, with_ends[next], stage.v);
      add(result.P, with_ends[next], stage.P);
    }
    add(result.w, inner[i], stage.w);
    add(result.kappa, inner[i], stage.kappa);
    add(result.bound, inner[i], stage.bound);
  }
  add(result.v, with_ends.back(), interval.v1);
  add(result.P, with_ends.back(), interval.P1);
  return result;
}

Path add_to_cost(Path path, const std::function<double(double)>& cost) {
  const double start = path.start();
  for (Interval& interval : path.intervals) {
    interval.v0.back() += cost(interval.t - start);
    interval.v1.back() += cost(interval.t + interval.h - start);
    for (Stage& stage : interval.stages) stage.v.back() += cost(stage.t - start);
  }
  return path;
}

void set_durations(Mesh& mesh, const Path& path) {
  for (std::size_t a = 0; a < mesh.arcs.size(); ++a) mesh.arcs[a].duration = path.durations[a];
}

std::size_t interval_of(const Path& path, double t) {
  const auto after = std::upper_bound(path.intervals.begin(), path.intervals.end(), t,
                                      [](double time, const Interval& interval) { return time < interval.t; });
  return after == path.intervals.begin() ? 0 : static_cast<std::size_t>(after - path.intervals.begin()) - 1;
}

}  // namespace herglotz::solve
