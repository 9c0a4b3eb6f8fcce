#pragma once
/// Moves of a start onto the constraints that keep some coordinates fixed.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "herglotz/integrate/integrate.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "start.hpp"

namespace herglotz::simulate {

/// Relative defect below which a start counts as rounded, not as off the constraints; integrate() has the same bound.
constexpr double consistent = 1e-10;

/// Kernels of the moves that keep coordinates fixed: W and the constraints with their slopes, for positions (with rho;
/// empty without velocity-free constraints) and for velocities.
struct FixedProjectionKernels {
  kernel::Kernel positions{};
  kernel::Kernel velocities{};
};
FixedProjectionKernels fixed_projection_kernels(const mechanics::System& system, const mechanics::Equations& equations);

/// Projects the start as integrate::project does, but moves a start that is off the constraints onto them without a
/// change of the base and fibre coordinates named in `fixed`. Its steps are the shortest ones in the metric W = dp/dw;
/// positions come first. If no such state is found, status and message say so. The kernels are asked for only where
/// they are needed.
integrate::Projection projected(const mechanics::System& system, const mechanics::Equations& equations,
                                const integrate::Dynamics& dynamics,
                                const std::function<const FixedProjectionKernels&()>& kernels,
                                const std::vector<std::string>& fixed, const Start& start,
                                std::span<const double> parameters);

}  // namespace herglotz::simulate
