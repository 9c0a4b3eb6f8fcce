#pragma once
/// Derivatives of steps that end with a projection onto constraints, and their adjoints.

#include <cstddef>
#include <memory>
#include <vector>

#include "herglotz/kernel/kernel.hpp"
#include "herglotz/sensitivity/adjoint_steps.hpp"
#include "herglotz/sensitivity/tangent_steps.hpp"

namespace herglotz::sensitivity {

/// Equations of a projection: F(u, k; y, t, theta) = 0 for the entries u of the state behind it, which replace entries
/// of y.
struct ProjectionForm {
  /// The variables are (u, k, y, t), the parameters theta, and the outputs F, then the derivatives of F by (u, k, y,
  /// theta, t) at the places (row, col).
  kernel::Kernel kernel;
  std::vector<std::size_t> row;
  std::vector<std::size_t> col;
  std::size_t states = 0;
  std::size_t first = 0;     ///< place in y of the entries that are replaced
  std::size_t replaced = 0;  ///< entries of u
  std::size_t others = 0;    ///< entries of k
};

/// Returns these steps, each of which ends with the projection. The equations are solved by Newton's method to
/// round-off, and the derivatives follow from them (the theorem on implicit functions).
std::unique_ptr<TangentSteps> projected_tangent(std::unique_ptr<TangentSteps> steps, ProjectionForm form);

/// Returns the adjoints of these steps, each of which ends with the projection: with the cotangent c of the state
/// behind it and F_(u,k)^T nu = (c_u, 0), that of y before it is (c without c_u) - F_y^T nu, and -F_theta^T nu, -F_t^T
/// nu are added to those of theta and of the time.
std::unique_ptr<AdjointSteps> projected_adjoint(std::unique_ptr<AdjointSteps> steps, ProjectionForm form);

}  // namespace herglotz::sensitivity
