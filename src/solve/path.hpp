#pragma once
/// Meshes, and paths with their costates on them.

#include <cstddef>
#include <functional>
#include <vector>

namespace herglotz::solve {

using Values = std::vector<double>;

/// Place at which a control is kept on an arc: a bound, or free.
enum class Hold : signed char { lower = -1, free = 0, upper = 1 };

/// Part of the path on which the same controls are at their bounds.
struct Arc {
  std::vector<Hold> held;  ///< hold of each control
  Values nodes;            ///< from 0 to 1, in parts of its duration
  double duration = 0;     ///< a guess if it is free
  /// Holds of the controls on each interval if junctions are nodes (junctions.hpp); empty otherwise.
  std::vector<std::vector<Hold>> kept;

  /// Returns the holds of the controls on an interval.
  [[nodiscard]] const std::vector<Hold>& held_on(std::size_t interval) const {
    return kept.empty() ? held : kept[interval];
  }
};

struct Mesh {
  std::vector<Arc> arcs;

  [[nodiscard]] std::size_t intervals() const {
    std::size_t count = 0;
    for (const Arc& arc : arcs) count += arc.nodes.size() - 1;
    return count;
  }
};

/// Returns the mesh with its intervals split: those whose error is above `target` become as many as should hold it by a
/// method of the given order, and those with a change become at least four.
Mesh split(const Mesh& mesh, const Values& errors, const std::vector<bool>& changes, double target, double order);

/// Returns a mesh with the same arcs and junctions, and with about `intervals` intervals: those of an arc are in
/// proportion to its duration, at least 4, and have one length between two junctions.
Mesh with_intervals(const Mesh& mesh, std::size_t intervals);
/// Returns the nodes from 0 to 1 of an arc with `count` intervals of one length.
Values equal_nodes(std::size_t count);

/// Values of the path at a stage, with P = -p R for all states and with the multipliers of the equations and
/// inequalities along the path. The derivatives of K = P.F + kappa.C + delta.D by w vanish up to the multipliers of
/// bounds.
struct Stage {
  double t = 0;
  Values v;
  Values P;
  Values w;
  Values kappa;  ///< multipliers of C, then of D
  Values bound;  ///< dK/dw of controls at their bounds, from the multipliers of the bounds
};

struct Interval {
  std::size_t arc = 0;
  std::vector<Hold> held;  ///< hold of each control, by its arc, or because all stages are at a bound
  bool mixed = false;      ///< true if a control is at a bound at some stages only
  bool settled = false;    ///< true if the mesh keeps `held`, with nodes at the junctions
  double t = 0;
  double h = 0;
  Values v0;
  Values P0;
  Values v1;
  Values P1;
  std::vector<Stage> stages;
};

struct Path {
  std::vector<Interval> intervals;
  Values durations;  ///< durations of the arcs
  Values ends;       ///< multipliers of the conditions at the ends

  [[nodiscard]] double start() const { return intervals.front().t; }
  [[nodiscard]] double end() const { return intervals.back().t + intervals.back().h; }
};

/// Returns the values of the path at a time inside an interval, or near it, by polynomials through its nodes and
/// stages.
Stage at(const Interval& interval, double t);
/// Returns the path with a function of the time since its start added to its last state, zeta.
Path add_to_cost(Path path, const std::function<double(double)>& cost);
/// Gives the arcs of a mesh the durations of those of a path.
void set_durations(Mesh& mesh, const Path& path);
/// Returns the index of the interval that contains t.
std::size_t interval_of(const Path& path, double t);

}  // namespace herglotz::solve
