#include "herglotz/geometry/subspace.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::geometry {
namespace {

using Vector = Subspace::Vector;

double dot(const Vector& a, const Vector& b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

/// Returns the part of v that is orthogonal to an orthonormal basis.
Vector rest(Vector v, const std::vector<Vector>& basis) {
  // The second pass removes the part along the basis that rounding left in the first.
  for (int pass = 0; pass < 2; ++pass)
    for (const Vector& q : basis) {
      const double along = dot(q, v);
      for (std::size_t i = 0; i < v.size(); ++i) v[i] -= along * q[i];
    }
  return v;
}

void add_direction(std::vector<Vector>& basis, Vector direction) {
  const double length = std::sqrt(dot(direction, direction));
  for (double& entry : direction) entry /= length;
  basis.push_back(std::move(direction));
}

}  // namespace

Subspace Subspace::spanned_by(const std::vector<Vector>& vectors, std::size_t N, double tolerance) {
  Subspace result;
  result.N_ = N;
  std::vector<Vector> unit;
  for (const Vector& v : vectors) {
    const double length = std::sqrt(dot(v, v));
    if (!(length > 0)) continue;
    unit.push_back(v);
    for (double& entry : unit.back()) entry /= length;
  }
  // The vector farthest from the span so far is added next, so that nearly dependent vectors come last.
  while (result.basis_.size() < N && !unit.empty()) {
    for (Vector& v : unit) v = rest(std::move(v), result.basis_);
    const auto farthest = std::max_element(unit.begin(), unit.end(),
                                           [](const Vector& a, const Vector& b) { return dot(a, a) < dot(b, b); });
    if (std::sqrt(dot(*farthest, *farthest)) <= tolerance) break;
    add_direction(result.basis_, *farthest);
    unit.erase(farthest);
  }
  return result;
}

Subspace Subspace::annihilated_by(const std::vector<Vector>& covectors, std::size_t N, double tolerance) {
  Subspace all = spanned_by(covectors, N, tolerance);
  const std::size_t rank = all.dimension();
  while (all.basis_.size() < N) {
    Vector best(N, 0.0);
    for (std::size_t i = 0; i < N; ++i) {
      Vector axis(N, 0.0);
      axis[i] = 1;
      Vector candidate = rest(std::move(axis), all.basis_);
      if (dot(candidate, candidate) > dot(best, best)) best = std::move(candidate);
    }
    add_direction(all.basis_, std::move(best));
  }
  all.basis_.erase(all.basis_.begin(), all.basis_.begin() + static_cast<std::ptrdiff_t>(rank));
  return all;
}

double Subspace::distance(const Vector& v) const {
  const double length = std::sqrt(dot(v, v));
  if (!(length > 0)) return 0;
  const Vector outside = rest(v, basis_);
  return std::sqrt(dot(outside, outside)) / length;
}

double Subspace::distance(const Subspace& other) const {
  double worst = 0;
  for (const Vector& v : other.basis_) worst = std::max(worst, distance(v));
  return worst;
}

bool Subspace::contains(const Subspace& other, double tolerance) const {
  return distance(other) <= tolerance;
}

Subspace operator+(const Subspace& a, const Subspace& b) {
  std::vector<Vector> all = a.basis_;
  all.insert(all.end(), b.basis_.begin(), b.basis_.end());
  return Subspace::spanned_by(all, a.N_);
}

Subspace intersection(const Subspace& a, const Subspace& b) {
  return (a.annihilator() + b.annihilator()).annihilator();
}

bool same(const Subspace& a, const Subspace& b, double tolerance) {
  return a.dimension() == b.dimension() && a.contains(b, tolerance);
}

}  // namespace herglotz::geometry
