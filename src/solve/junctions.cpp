#include "junctions.hpp"

#include <algorithm>
#include <cmath>

#include "extremal.hpp"

namespace herglotz::solve {
namespace {

constexpr double at_bound = 1e-6;        ///< of the range of a control
constexpr double same_time = 1e-12;      ///< in parts of the duration
constexpr double active = 1e-4;          ///< a multiplier, in parts of its largest
constexpr double shortest_split = 1e-6;  ///< of an interval, in parts of the duration
constexpr double too_near = 0.25;        ///< of a node to a junction, in parts of the interval between nodes

/// Time span on which a control is at a bound.
struct Span {
  std::size_t control;
  double begin;
  double end;
  Hold hold;
};

/// Returns whether a control comes to its bounds continuously.
bool has_junctions(const Setup& setup, std::size_t control) {
  return setup.is_bounded(control) && !setup.is_linear(control);
}

/// Returns dK/du of a control at its bound, on the polynomials of an interval.
double slope_at_bound(const Setup& setup, const Interval& interval, std::size_t control, Hold hold, double t) {
  Stage stage = at(interval, t);
  setup.keep(interval.held, stage.w);
  stage.w[control] = setup.bound(control, hold);
  return evaluate(setup, stage).K_w[control];
}

/// Returns the zero of dK/du at the bound near one end of an interval, by the secant method, or `std::nullopt`.
std::optional<double> zero_near(const Setup& setup, const Interval& interval, std::size_t control, Hold hold,
                                bool at_end, double duration) {
  const double edge = at_end ? interval.t + interval.h : interval.t;
  const auto slope = [&](double t) { return slope_at_bound(setup, interval, control, hold, t); };
  double before = interval.t + interval.h / 2;
  double here = edge;
  double slope_before = slope(before);
  for (int k = 0; k < 40; ++k) {
    const double slope_here = slope(here);
    if (slope_here == slope_before) return std::nullopt;
    const double next = here - slope_here * (here - before) / (slope_here - slope_before);
    if (!(std::abs(next - edge) <= 2 * interval.h)) return std::nullopt;
    before = here;
    slope_before = slope_here;
    here = next;
    if (std::abs(here - before) <= same_time * duration) return here;
  }
  return std::nullopt;
}

/// Returns the hold of a control during an interval, or `std::nullopt` if its stages have different holds.
std::optional<Hold> hold_during(const Setup& setup, const Interval& interval, std::size_t control) {
  if (interval.settled) return interval.held[control];
  const Hold first = setup.hold_of(control, interval.stages.front().w[control], at_bound);
  for (const Stage& stage : interval.stages)
    if (setup.hold_of(control, stage.w[control], at_bound) != first) return std::nullopt;
  return first;
}

/// Returns the spans on which a control is at a bound, or `std::nullopt` if one span is shorter than an interval or has
/// no end.
std::optional<std::vector<Span>> spans_of(const Setup& setup, const Path& path, std::size_t control) {
  const auto& intervals = path.intervals;
  const double duration = path.end() - path.start();
  std::vector<std::optional<Hold>> holds;
  for (const Interval& interval : intervals) holds.push_back(hold_during(setup, interval, control));
  const auto is_held = [&](std::size_t k) { return holds[k] && *holds[k] != Hold::free; };
  std::vector<Span> spans;
  for (std::size_t k = 0; k < intervals.size(); ++k) {
    if (!holds[k] && !(k > 0 && is_held(k - 1)) && !(k + 1 < intervals.size() && is_held(k + 1))) return std::nullopt;
    if (!is_held(k)) continue;
    const Hold hold = *holds[k];
    std::size_t last = k;
    while (last + 1 < intervals.size() && holds[last + 1] == hold) ++last;
    Span span{control, path.start(), path.end(), hold};
    if (k > 0) {
      const auto begin = zero_near(setup, intervals[k], control, hold, false, duration);
      if (!begin) return std::nullopt;
      span.begin = std::max(*begin, path.start());
    }
    if (last + 1 < intervals.size()) {
      const auto end = zero_near(setup, intervals[last], control, hold, true, duration);
      if (!end) return std::nullopt;
      span.end = std::min(*end, path.end());
    }
    if (!(span.begin < span.end)) return std::nullopt;
    if (!spans.empty() && span.begin < spans.back().end) return std::nullopt;
    spans.push_back(span);
    k = last;
  }
  return spans;
}

/// Returns the nodes that are not junctions.
Values plain_nodes(const Arc& arc) {
  Values nodes;
  for (std::size_t k = 0; k < arc.nodes.size(); ++k) {
    const bool inside = k > 0 && k + 1 < arc.nodes.size();
    if (!inside || arc.kept.empty() || arc.kept[k - 1] == arc.kept[k]) nodes.push_back(arc.nodes[k]);
  }
  return nodes;
}

Values junctions_of(const Arc& arc) {
  Values result;
  for (std::size_t k = 1; k < arc.kept.size(); ++k)
    if (arc.kept[k - 1] != arc.kept[k]) result.push_back(arc.nodes[k]);
  return result;
}

/// Returns the junctions and the nodes that are not near a junction, in ascending order.
Values joined(const Values& nodes, const Values& junctions) {
  Values result;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const bool inside = k > 0 && k + 1 < nodes.size();
    const bool near = inside && std::any_of(junctions.begin(), junctions.end(), [&](double sigma) {
                        const double length = sigma < nodes[k] ? nodes[k] - nodes[k - 1] : nodes[k + 1] - nodes[k];
                        return std::abs(sigma - nodes[k]) < too_near * length;
                      });
    if (!near) result.push_back(nodes[k]);
  }
  result.insert(result.end(), junctions.begin(), junctions.end());
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

std::optional<Junctions> with_junctions(const Setup& setup, const Path& path, const Mesh& mesh) {
  const Arc& arc = mesh.arcs.front();
  const double duration = path.end() - path.start();
  std::vector<Span> all;
  Values times;
  for (std::size_t u = 0; u < arc.held.size(); ++u) {
    if (!has_junctions(setup, u)) continue;
    const auto spans = spans_of(setup, path, u);
    if (!spans) return std::nullopt;
    for (const Span& span : *spans) {
      for (const double t : {span.begin, span.end}) {
        const double sigma = (t - path.start()) / duration;
        if (sigma > same_time && sigma < 1 - same_time) times.push_back(sigma);
      }
    }
    all.insert(all.end(), spans->begin(), spans->end());
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end(), [](double a, double b) { return b - a < same_time; }),
              times.end());
  Arc next = arc;
  next.nodes = joined(plain_nodes(arc), times);
  next.duration = duration;
  next.kept.clear();
  for (std::size_t k = 0; k + 1 < next.nodes.size(); ++k) {
    const double middle = path.start() + duration * (next.nodes[k] + next.nodes[k + 1]) / 2;
    auto held = arc.held;
    for (const Span& span : all)
      if (span.begin < middle && middle < span.end) held[span.control] = span.hold;
    next.kept.push_back(std::move(held));
  }
  Junctions result{{{next}}, 1};
  const Values old = junctions_of(arc);
  if (!arc.kept.empty() && old.size() == times.size()) {
    result.moved = 0;
    for (std::size_t k = 0; k < old.size(); ++k) result.moved = std::max(result.moved, std::abs(old[k] - times[k]));
  }
  return result;
}

Mesh without_junctions(Mesh mesh) {
  for (Arc& arc : mesh.arcs) arc.kept.clear();
  return mesh;
}

bool keeps_bounds(const Setup& setup, const Path& path) {
  double largest = 0;
  double wrong = 0;
  for (const Interval& interval : path.intervals) {
    for (const Stage& stage : interval.stages) {
      const Values slopes = evaluate(setup, stage).K_w;
      for (std::size_t u = 0; u < interval.held.size(); ++u) {
        if (!has_junctions(setup, u)) continue;
        largest = std::max(largest, std::abs(slopes[u]));
        if (interval.held[u] != Hold::free) {
          wrong = std::max(wrong, interval.held[u] == Hold::upper ? slopes[u] : -slopes[u]);
        } else if (setup.hold_of(u, stage.w[u], -at_bound) != Hold::free) {
          return false;
        }
      }
    }
  }
  return wrong <= at_bound * largest;
}

std::vector<bool> activity_changes(const Setup& setup, const Path& path) {
  std::vector<bool> changes(path.intervals.size(), false);
  for (std::size_t j = setup.equations(); j < setup.along(); ++j) {
    double largest = 0;
    for (const Interval& interval : path.intervals)
      for (const Stage& stage : interval.stages) largest = std::max(largest, std::abs(stage.kappa[j]));
    const auto is_active = [&](const Stage& stage) { return std::abs(stage.kappa[j]) > active * largest; };
    for (std::size_t k = 0; k < path.intervals.size(); ++k) {
      const auto& stages = path.intervals[k].stages;
      const bool first = is_active(stages.front());
      for (const Stage& stage : stages)
        if (is_active(stage) != first) changes[k] = true;
      if (k > 0 && is_active(path.intervals[k - 1].stages.back()) != first) changes[k - 1] = changes[k] = true;
    }
  }
  for (std::size_t k = 0; k < changes.size(); ++k)
    if (path.intervals[k].h < shortest_split * (path.end() - path.start())) changes[k] = false;
  return changes;
}

std::string unsettled_bounds(const Setup& setup, const Path& path, const Mesh& mesh) {
  const std::string& method = setup.problem.settings.method;
  if (!method.starts_with("direct-lobatto") || !reaches_bounds(path, mesh)) return {};
  return method +
         " does not settle when controls come to their bounds, because its stages at the nodes have other "
         "costates; use direct-gauss-6";
}

bool reaches_bounds(const Path& path, const Mesh& mesh) {
  return std::any_of(path.intervals.begin(), path.intervals.end(), [&](const Interval& interval) {
    return !interval.settled && (interval.mixed || interval.held != mesh.arcs[interval.arc].held);
  });
}

}  // namespace herglotz::solve
