#pragma once
/// Derivatives of steps that end with a projection of velocities onto constraints.

#include <cstddef>
#include <memory>
#include <vector>

#include "herglotz/kernel/kernel.hpp"
#include "herglotz/sensitivity/tangent_steps.hpp"

namespace herglotz::sensitivity {

/// Equations of a projection: F(w', k; y, t, theta) = 0 for the velocities w' behind it, which replace entries of y.
struct ProjectionForm {
  /// The variables are (w', k, y, t), the parameters theta, and the outputs F, then the derivatives of F by (w', k, y,
  /// theta, t) at the places (row, col).
  kernel::Kernel kernel;
  std::vector<std::size_t> row;
  std::vector<std::size_t> col;
  std::size_t states = 0;
  std::size_t first = 0;       ///< place of w' in y
  std::size_t velocities = 0;  ///< entries of w'
  std::size_t impulses = 0;    ///< entries of k
};

/// Returns these steps, each of which ends with the projection. The equations are solved by Newton's method to
/// round-off, and the derivatives follow from them (the theorem on implicit functions).
std::unique_ptr<TangentSteps> projected_tangent(std::unique_ptr<TangentSteps> steps, ProjectionForm form);

}  // namespace herglotz::sensitivity
