#include "structure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "extremal.hpp"
#include "herglotz/kernel/quadrature.hpp"

namespace herglotz::solve {
namespace {

constexpr std::size_t most_named = 20;  ///< arcs of a control that the text names
constexpr double near_bound = 1e-5;     ///< relative to a bound or to the distance of both bounds

/// Control at a stage: its hold, and dK/du.
struct Sample {
  double t;
  Hold hold;
  double slope;
};

/// Run of samples first <= i < last with the same hold.
struct Run {
  std::size_t first;
  std::size_t last;
  Hold hold;
};

std::vector<Sample> samples_of(const Setup& setup, const Path& path, std::size_t control) {
  std::vector<Sample> samples;
  for (const Interval& interval : path.intervals)
    for (const Stage& stage : interval.stages)
      samples.push_back(
          {stage.t, setup.hold_of(control, stage.w[control], near_bound), evaluate(setup, stage).K_w[control]});
  return samples;
}

std::vector<Run> runs_of(const std::vector<Sample>& samples) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (runs.empty() || runs.back().hold != samples[i].hold) runs.push_back({i, i, samples[i].hold});
    runs.back().last = i + 1;
  }
  return runs;
}

/// Returns the runs without those that are too short to be arcs: for linear controls, runs inside the bounds of less
/// than two intervals; for other controls, runs at a bound of less than one interval.
std::vector<Run> merged(const Setup& setup, std::size_t control, const std::vector<Run>& runs, std::size_t stages) {
  const bool linear = setup.is_linear(control);
  std::vector<Run> kept;
  for (const Run& run : runs) {
    const std::size_t length = run.last - run.first;
    const bool is_short =
        linear ? run.hold == Hold::free && length < 2 * stages : run.hold != Hold::free && length < stages;
    if (is_short && runs.size() > 1) continue;
    if (!kept.empty() && kept.back().hold == run.hold) {
      kept.back().last = run.last;
    } else {
      kept.push_back(run);
    }
  }
  if (kept.empty()) kept.push_back({0, runs.back().last, Hold::free});
  return kept;
}

/// Returns the time at which the control passes from one run to the next: the zero of dK/du between two bounds if there
/// is one, else the middle between the runs.
double junction(const std::vector<Sample>& samples, const Run& before, const Run& after) {
  for (std::size_t i = before.last - 1; i + 1 <= after.first && i + 1 < samples.size(); ++i) {
    const Sample& a = samples[i];
    const Sample& b = samples[i + 1];
    if (before.hold != Hold::free && after.hold != Hold::free && a.slope * b.slope < 0)
      return a.t + (b.t - a.t) * a.slope / (a.slope - b.slope);
  }
  return (samples[before.last - 1].t + samples[after.first].t) / 2;
}

/// Returns the mean of a control over intervals first <= k <= last, of which the values at stages make polynomials.
double mean(const Path& path, std::size_t control, std::size_t first, std::size_t last) {
  static const auto rule = kernel::rounded<4>(kernel::gauss_quadrature(4));
  double sum = 0;
  double length = 0;
  for (std::size_t k = first; k <= last; ++k) {
    const Interval& interval = path.intervals[k];
    length += interval.h;
    for (std::size_t i = 0; i < rule.c.size(); ++i)
      sum += rule.b[i] * interval.h * at(interval, interval.t + rule.c[i] * interval.h).w[control];
  }
  return sum / length;
}

/// Returns the time at which a control passes from one run to the next where the mesh has no node for it. A jump from a
/// to b inside intervals leaves them the mean that a jump at this time has, as the rates hold in the mean. Values near
/// bounds may leave them some intervals before the jump or after it, as barriers do. If there is no jump, the time is
/// the middle between the runs.
double junction_in_mean(const Path& path, std::size_t control, const std::vector<Sample>& samples, const Run& before,
                        const Run& after) {
  constexpr double jump = 0.05;  // as a part of the change of the control over all times
  constexpr std::size_t intervals_around = 8;
  const std::size_t stages = path.intervals.front().stages.size();
  const auto value = [&](std::size_t i) { return path.intervals[i / stages].stages[i % stages].w[control]; };
  double least = value(0);
  double most = value(0);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    least = std::min(least, value(i));
    most = std::max(most, value(i));
  }
  const std::size_t around = intervals_around * stages;
  const std::size_t begin = std::max(before.first, before.last - 1 - std::min(around, before.last - 1));
  std::size_t steepest = begin;
  for (std::size_t i = begin; i + 1 < std::min(after.last, after.first + around); ++i)
    if (std::abs(value(i + 1) - value(i)) > std::abs(value(steepest + 1) - value(steepest))) steepest = i;
  const std::size_t first = steepest / stages;
  const std::size_t last = (steepest + 1) / stages;
  const double middle = junction(samples, before, after);
  if (first == 0 || last + 1 == path.intervals.size()) return middle;
  const double start = path.intervals[first].t;
  const double end = path.intervals[last].t + path.intervals[last].h;
  const double a = at(path.intervals[first - 1], start).w[control];
  const double b = at(path.intervals[last + 1], end).w[control];
  if (!(std::abs(a - b) > jump * (most - least))) return middle;
  return start + (end - start) * std::clamp((mean(path, control, first, last) - b) / (a - b), 0.0, 1.0);
}

/// Returns the time at which dK/du vanishes, by extrapolation from the two stages nearest to the end (or start) of an
/// interval on which u is at a bound.
double release_time(const Setup& setup, const Interval& interval, std::size_t control, bool at_end) {
  const std::size_t s = interval.stages.size();
  if (s < 2) return at_end ? interval.t + interval.h : interval.t;
  const Stage& a = interval.stages[at_end ? s - 2 : 1];
  const Stage& b = interval.stages[at_end ? s - 1 : 0];
  const double slope_a = evaluate(setup, a).K_w[control];
  const double slope_b = evaluate(setup, b).K_w[control];
  const double t = slope_a == slope_b ? b.t : b.t + (b.t - a.t) * slope_b / (slope_a - slope_b);
  return t > interval.t && t < interval.t + interval.h ? t : b.t;
}

struct Junction {
  double t;
  std::size_t control;
  Hold after;
};

std::string word(const Setup& setup, std::size_t control, Hold hold) {
  if (hold == Hold::upper) return "max";
  if (hold == Hold::lower) return "min";
  // Beside inequalities of the path, which may determine the control, arcs are not told from singular ones.
  return setup.is_linear(control) && setup.form.inequalities.empty() ? "singular" : "inside";
}

/// Returns the arcs by the values of a control at the stages.
ControlArcs arcs_by_values(const Setup& setup, const Path& path, std::size_t control) {
  const auto samples = samples_of(setup, path, control);
  const auto runs = merged(setup, control, runs_of(samples), path.intervals.front().stages.size());
  ControlArcs arcs{std::string(setup.problem.controls[control].name()), {}, {}};
  for (std::size_t k = 0; k < runs.size(); ++k) {
    arcs.words.push_back(word(setup, control, runs[k].hold));
    if (k > 0) arcs.times.push_back(junction_in_mean(path, control, samples, runs[k - 1], runs[k]));
  }
  return arcs;
}

/// Returns the arcs by what the intervals hold.
ControlArcs arcs_by_holds(const Setup& setup, const Path& path, std::size_t u) {
  ControlArcs arcs{std::string(setup.problem.controls[u].name()), {}, {}};
  for (std::size_t k = 0; k < path.intervals.size(); ++k) {
    const Interval& interval = path.intervals[k];
    const Hold hold = interval.held[u];
    if (k > 0 && hold == path.intervals[k - 1].held[u]) continue;
    arcs.words.push_back(word(setup, u, hold));
    if (k == 0) continue;
    const Interval& before = path.intervals[k - 1];
    const bool leaves = before.held[u] != Hold::free && hold == Hold::free;
    const bool comes = before.held[u] == Hold::free && hold != Hold::free;
    double t = interval.t;
    const bool is_node = setup.is_linear(u) || before.arc != interval.arc;  // whose time is an unknown
    if (!is_node && leaves && !before.settled) t = release_time(setup, before, u, true);
    if (!is_node && comes && !interval.settled) t = release_time(setup, interval, u, false);
    arcs.times.push_back(t);
  }
  return arcs;
}

}  // namespace

Mesh arcs_of(const Setup& setup, const Path& path, std::size_t intervals) {
  const std::size_t controls = setup.problem.controls.size();
  const std::size_t stages = path.intervals.front().stages.size();
  std::vector<Hold> held(controls, Hold::free);
  std::vector<Junction> junctions;
  for (std::size_t u = 0; u < controls; ++u) {
    if (!setup.is_linear(u)) continue;
    const auto samples = samples_of(setup, path, u);
    const auto runs = merged(setup, u, runs_of(samples), stages);
    held[u] = runs.front().hold;
    for (std::size_t k = 0; k + 1 < runs.size(); ++k)
      junctions.push_back({junction(samples, runs[k], runs[k + 1]), u, runs[k + 1].hold});
  }
  std::stable_sort(junctions.begin(), junctions.end(), [](const Junction& a, const Junction& b) { return a.t < b.t; });
  const double T = path.end() - path.start();
  const double together = 0.05 * T / static_cast<double>(path.intervals.size());
  Mesh mesh;
  double begin = path.start();
  const auto add = [&](double end) {
    Arc arc;
    arc.held = held;
    arc.duration = end - begin;
    const auto share = static_cast<std::size_t>(std::lround(static_cast<double>(intervals) * arc.duration / T));
    arc.nodes = equal_nodes(std::max<std::size_t>(4, share));
    mesh.arcs.push_back(std::move(arc));
    begin = end;
  };
  for (const Junction& next : junctions) {
    if (next.t - begin > together) add(next.t);
    held[next.control] = next.after;
  }
  add(path.end());
  return mesh;
}

bool same_arcs(const Mesh& a, const Mesh& b) {
  return std::equal(a.arcs.begin(), a.arcs.end(), b.arcs.begin(), b.arcs.end(),
                    [](const Arc& one, const Arc& other) { return one.held == other.held; });
}

bool is_consistent(const Setup& setup, const Path& path, const std::vector<Arc>& arcs) {
  for (const double duration : path.durations)
    if (duration < 1e-5 * (path.end() - path.start())) return false;
  for (const Interval& interval : path.intervals) {
    const auto& held = arcs[interval.arc].held;
    for (const Stage& stage : interval.stages) {
      for (const std::size_t u : setup.form.linear) {
        if (held[u] != Hold::free || setup.hold_of(u, stage.w[u], near_bound) == Hold::free) continue;
        if (std::abs(evaluate(setup, stage).K_w[u]) > 1e-6) return false;
      }
    }
  }
  return keeps_signs(setup, path, arcs);
}

bool keeps_signs(const Setup& setup, const Path& path, const std::vector<Arc>& arcs) {
  if (setup.form.linear.empty()) return true;
  double largest = 0;
  double wrong = 0;
  for (const Interval& interval : path.intervals) {
    const auto& held = arcs[interval.arc].held;
    for (const Stage& stage : interval.stages) {
      const Values slopes = evaluate(setup, stage).K_w;
      for (std::size_t u = 0; u < held.size(); ++u) {
        largest = std::max(largest, std::abs(slopes[u]));
        if (setup.is_linear(u) && held[u] != Hold::free)
          wrong = std::max(wrong, held[u] == Hold::upper ? slopes[u] : -slopes[u]);
      }
    }
  }
  return wrong <= 1e-6 * largest;
}

std::vector<ControlArcs> arcs_in_words(const Setup& setup, const Path& path) {
  std::vector<ControlArcs> result;
  for (std::size_t u = 0; u < setup.problem.controls.size(); ++u) {
    if (!setup.is_bounded(u)) continue;
    // Linear controls are held on arcs of the mesh, which has such arcs only where no inequality bounds the path.
    result.push_back(setup.is_linear(u) && !setup.form.inequalities.empty() ? arcs_by_values(setup, path, u)
                                                                            : arcs_by_holds(setup, path, u));
  }
  return result;
}

void state_structure(Solution& solution) {
  std::vector<std::string> texts;
  solution.switching_times.clear();
  for (const auto& [name, all, times] : solution.arcs) {
    auto words = all;
    const bool is_long = times.size() > most_named;
    if (is_long) words.resize(most_named);
    std::string text = fmt::format("{}: {}", name, fmt::join(words, ", "));
    if (is_long) text += fmt::format(", and {} more", times.size() + 1 - most_named);
    const auto named = times.begin() + static_cast<std::ptrdiff_t>(std::min(times.size(), most_named));
    if (!times.empty())
      text += fmt::format("; switches at {:.10g}{}", fmt::join(times.begin(), named, ", "), is_long ? ", ..." : "");
    texts.push_back(text);
    solution.switching_times[name] = times;
  }
  solution.structure = fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace herglotz::solve
