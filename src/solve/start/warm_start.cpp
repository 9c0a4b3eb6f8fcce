#include "start/warm_start.hpp"

#include <algorithm>

#include "guess.hpp"

namespace herglotz::solve {
namespace {

std::vector<std::string> names(const std::vector<control::Expr>& symbols) {
  std::vector<std::string> result;
  for (const auto& symbol : symbols) result.emplace_back(symbol.name());
  return result;
}

void append(Values& to, const Values& values) {
  to.insert(to.end(), values.begin(), values.end());
}

Values slice(const Values& from, std::size_t index, std::size_t size) {
  const auto first = from.begin() + static_cast<std::ptrdiff_t>(index * size);
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

bool fits(const Setup& setup, const control::Iterate& iterate) {
  return iterate.stages > 0 && iterate.states == names(setup.form.v) && iterate.algebraic == names(setup.form.w) &&
         iterate.controls == setup.problem.controls.size() && iterate.equations == setup.along();
}

/// Returns the holds of the controls on an interval of an iterate.
std::vector<Hold> held_on(const control::Iterate& iterate, std::size_t interval) {
  std::vector<Hold> held;
  for (std::size_t u = 0; u < iterate.controls; ++u)
    held.push_back(static_cast<Hold>(iterate.active[interval * iterate.controls + u]));
  return held;
}

Path path_of(const Setup& setup, const control::Iterate& iterate, double duration) {
  const std::size_t s = iterate.stages;
  const double stretch = duration / (iterate.times.back() - iterate.times.front());
  const auto time = [&](std::size_t k) { return setup.t0 + stretch * (iterate.times[k] - iterate.times.front()); };
  Path path;
  path.ends = iterate.ends;
  path.ends.resize(setup.conditions(), 0.0);
  for (std::size_t k = 0; k < iterate.intervals(); ++k) {
    Interval interval;
    interval.arc = static_cast<std::size_t>(iterate.arcs[k]);
    interval.held = held_on(iterate, k);
    interval.settled = iterate.settled;
    interval.t = time(k);
    interval.h = time(k + 1) - interval.t;
    interval.v0 = slice(iterate.v, k, setup.d());
    interval.v1 = slice(iterate.v, k + 1, setup.d());
    interval.P0 = slice(iterate.P, k, setup.d());
    interval.P1 = slice(iterate.P, k + 1, setup.d());
    for (std::size_t i = 0; i < s; ++i) {
      const std::size_t place = k * s + i;
      interval.stages.push_back({interval.t + iterate.points[i] * interval.h, slice(iterate.stage_v, place, setup.d()),
                                 slice(iterate.stage_P, place, setup.d()), slice(iterate.stage_w, place, setup.m()),
                                 slice(iterate.stage_kappa, place, setup.along()),
                                 slice(iterate.stage_bound, place, setup.m())});
    }
    path.durations.resize(interval.arc + 1, 0.0);
    path.durations[interval.arc] += interval.h;
    path.intervals.push_back(std::move(interval));
  }
  return path;
}

/// Returns the mesh of a path that was read from an iterate.
Mesh mesh_of(const Setup& setup, const Path& path) {
  Mesh mesh;
  double begin = 0;
  for (const Interval& interval : path.intervals) {
    if (interval.arc == mesh.arcs.size()) {
      Arc arc;
      arc.duration = path.durations[interval.arc];
      arc.nodes = {0};
      arc.held = interval.held;
      for (std::size_t u = 0; u < arc.held.size(); ++u)
        if (!setup.is_linear(u)) arc.held[u] = Hold::free;
      mesh.arcs.push_back(std::move(arc));
      begin = interval.t;
    }
    Arc& arc = mesh.arcs.back();
    arc.nodes.push_back((interval.t + interval.h - begin) / arc.duration);
    if (interval.settled) arc.kept.push_back(interval.held);
  }
  for (Arc& arc : mesh.arcs) arc.nodes.back() = 1;
  return mesh;
}

}  // namespace

control::Iterate iterate_of(const Setup& setup, const Path& path, const Values& errors) {
  control::Iterate result;
  result.states = names(setup.form.v);
  result.algebraic = names(setup.form.w);
  result.controls = setup.problem.controls.size();
  const Interval& first = path.intervals.front();
  result.stages = first.stages.size();
  for (const Stage& stage : first.stages) result.points.push_back((stage.t - first.t) / first.h);
  result.equations = setup.along();
  if (errors.size() == path.intervals.size()) result.errors = errors;
  result.settled = true;
  result.ends = path.ends;
  for (const Interval& interval : path.intervals) {
    result.times.push_back(interval.t);
    result.arcs.push_back(static_cast<std::int64_t>(interval.arc));
    for (const Hold hold : interval.held) result.active.push_back(static_cast<std::int64_t>(hold));
    result.settled = result.settled && interval.settled;
    append(result.v, interval.v0);
    append(result.P, interval.P0);
    for (const Stage& stage : interval.stages) {
      append(result.stage_v, stage.v);
      append(result.stage_P, stage.P);
      append(result.stage_w, stage.w);
      append(result.stage_kappa, stage.kappa);
      append(result.stage_bound, stage.bound);
    }
  }
  result.times.push_back(path.end());
  append(result.v, path.intervals.back().v1);
  append(result.P, path.intervals.back().P1);
  return result;
}

std::optional<WarmStart> warm_start(const Setup& setup) {
  const auto& guess = setup.problem.guess;
  if (!guess.iterate || !fits(setup, *guess.iterate)) return std::nullopt;
  WarmStart start;
  start.path = add_to_cost(path_of(setup, *guess.iterate, guessed_duration(setup)),
                           [&](double t) { return -setup.independent.at(t); });
  start.mesh = guess.keeps_mesh ? mesh_of(setup, start.path) : uniform_mesh(setup);
  return start;
}

}  // namespace herglotz::solve
