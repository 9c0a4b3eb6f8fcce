#pragma once
/// The entries that a compiled motion carries from step to step.

#include <array>
#include <cstddef>

namespace herglotz::kernel {

/// The entries of y = (x, w, z, nu, log lambda, g_1, ..): the bounds of the first four groups, whether log lambda
/// follows, and the number of budgets g that follow. The motion also has checks, numbers that tell how accurate y' is.
struct StateLayout {
  static constexpr std::size_t groups = 4;
  std::array<std::size_t, groups + 1> bounds{};
  bool factor = false;
  std::size_t laws = 0;
  std::size_t checks = 0;  ///< y' is sound if their sizes are between 1e-7 and 1e7

  [[nodiscard]] std::size_t size() const { return bounds[groups] + (factor ? 1 : 0) + laws; }
};

}  // namespace herglotz::kernel
