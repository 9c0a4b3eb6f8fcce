#pragma once
/// One generic system on every kind of algebroid: L is nonlinear in z, depends on t and mixes velocities with
/// everything.

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "geometry/every_algebroid.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::mechanics::samples {

using namespace geometry::samples;
using geometry::Algebroid;
using symbolic::Graph;

/// L = y.G(x, z, t).y/2 + a(x, t).y + nonlinear z, with G positive definite near the sample points.
inline System generic_system(const Algebroid& algebroid) {
  System s = make_system(algebroid);
  Graph& g = s.graph();
  const Expr gamma = g.symbol("gamma");
  s.parameters.push_back({gamma, 0.3});
  const auto& x = s.algebroid.x;
  const auto& y = s.algebroid.y;
  Expr L = -gamma * s.z - s.z * s.z / 20;
  for (std::size_t a = 0; a < y.size(); ++a) {
    Expr mass = g.number(static_cast<std::int64_t>(a + 2)) + s.z * s.z / 10 + sin(s.t) / 5;
    if (!x.empty()) mass += cos(x[a % x.size()]) / 2;
    L += mass * y[a] * y[a] / 2 + pow(y[a], 4) / 50;
    if (a > 0) L += y[a] * y[a - 1] * (1.0 + s.z / 7) / 4;
    L += y[a] * cos(s.t) * s.z / 5;
    s.forces[a] = s.t * y[a] / 10 - s.z / 3 + (x.empty() ? s.t : x[0] * y[0]) / 4;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    L -= x[i] * x[i] * (1.0 + s.t / 5) / 3;
    if (i > 0) L += x[i] * sin(x[i - 1]) / 2;
    L += x[i] * y[i % y.size()] / 6;
  }
  s.generator = L;
  std::vector<Expr> section;
  for (std::size_t a = 0; a < y.size(); ++a) {
    const auto constant = g.number(static_cast<std::int64_t>(a + 1));
    section.push_back(x.empty() ? constant : constant + x[a % x.size()] * x[0] / 2);
  }
  s.symmetries.push_back({"s", section});
  return s;
}

/// Values for u and then the parameters, at a random point of the sample box.
inline std::vector<double> random_point(const System& system, const Equations& q, std::mt19937_64& engine) {
  std::uniform_real_distribution<double> uniform(0.15, 0.9);
  std::vector<double> point;
  for (std::size_t i = 0; i < q.u.size(); ++i) point.push_back(uniform(engine));
  for (const auto& parameter : system.parameters) point.push_back(parameter.value);
  return point;
}

/// u, then the parameters: the order of random_point.
inline std::vector<Expr> names_of(const System& system, const Equations& q) {
  std::vector<Expr> names = q.u;
  for (const auto& parameter : system.parameters) names.push_back(parameter.symbol);
  return names;
}

}  // namespace herglotz::mechanics::samples
