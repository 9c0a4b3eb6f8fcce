#pragma once
/// Layout of the unknowns (x, w, z, l) of a stage.

#include <cstddef>

#include "herglotz/integrate/dynamics.hpp"

namespace herglotz::integrate {

struct StageLayout {
  explicit StageLayout(const Dynamics& dynamics)
      : n(dynamics.n), r(dynamics.r), m(dynamics.m), base(n + r + 1), size(base + m) {}
  /// Returns whether entry j, which is x or z then, is carried from step to step as it is.
  [[nodiscard]] bool is_carried(std::size_t j) const { return j < n || j + 1 == base; }

  std::size_t n;
  std::size_t r;
  std::size_t m;
  std::size_t base;  ///< n + r + 1
  std::size_t size;  ///< base + m
};

}  // namespace herglotz::integrate
