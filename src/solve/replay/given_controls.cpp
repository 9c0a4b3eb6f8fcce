#include "replay/given_controls.hpp"

#include <algorithm>

#include "guess.hpp"

namespace herglotz::solve {
namespace {

/// Returns the interval from t to t + h of a path whose interval `old` contains it.
Interval part_of(const Interval& old, const Collocation& method, double t, double h) {
  Interval result;
  result.t = t;
  result.h = h;
  result.v0 = at(old, t).v;
  result.v1 = at(old, t + h).v;
  for (std::size_t i = 0; i < method.stages(); ++i)
    result.stages.push_back(at(old, t + method.c[static_cast<Eigen::Index>(i)] * h));
  return result;
}

}  // namespace

GivenControls::GivenControls(const Setup& setup) : setup_(setup), solution_(warm_start(setup)) {
  if (!solution_) mesh_ = uniform_mesh(setup);
}

Path GivenControls::on(const Collocation& method, std::size_t parts) const {
  if (!solution_) {
    Mesh mesh = mesh_;
    Values& nodes = mesh.arcs.front().nodes;
    const std::size_t n = (nodes.size() - 1) * parts;
    nodes.clear();
    for (std::size_t k = 0; k <= n; ++k) nodes.push_back(static_cast<double>(k) / static_cast<double>(n));
    return guessed_path(setup_, method, mesh);
  }
  Path path;
  for (const Interval& old : solution_->path.intervals) {
    const double h = old.h / static_cast<double>(parts);
    for (std::size_t part = 0; part < parts; ++part)
      path.intervals.push_back(part_of(old, method, old.t + static_cast<double>(part) * h, h));
  }
  return path;
}

}  // namespace herglotz::solve
