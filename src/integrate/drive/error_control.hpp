#pragma once
/// Local error that an adaptive method may make, and groups of variables that share a scale.

#include <array>
#include <cstddef>

#include "herglotz/integrate/dynamics.hpp"

namespace herglotz::integrate {

/// Bounds of the groups of y = (x, w, z, nu, log lambda, g_1, ..), and the local relative error that a step may make.
struct ErrorControl {
  static constexpr int groups = 4;
  std::array<std::size_t, groups + 1> bounds{};
  std::size_t laws = 0;
  double local = 0;

  [[nodiscard]] std::size_t size() const { return bounds[groups] + 1 + laws; }
};

/// Returns the local relative error for a tolerance: a tenth of it, so that the global error comes out near the
/// tolerance.
double local_error(double tolerance);
ErrorControl error_control(const Dynamics& dynamics, double tolerance);

}  // namespace herglotz::integrate
