#pragma once
/// Compiled code of the variational equations of a system.

#include <memory>
#include <string>
#include <vector>

#include "herglotz/sensitivity/tangent_steps.hpp"
#include "sensitivity/differentiated_run.hpp"

namespace herglotz::simulate {

/// Steps with their derivatives, and the functions whose derivatives are wanted.
struct TangentCode {
  std::unique_ptr<sensitivity::TangentSteps> steps;
  /// Derivatives of the columns and then of the functions of events along (dy, dtheta), then their rates in time. The
  /// variables are (y, dy, t), the parameters (theta, dtheta).
  kernel::Kernel functions;
  std::vector<std::string> columns;  ///< names of the columns: the state, quantities of laws, observables
};

/// Compiles the code for a run. Throws Refused that says why there is none.
TangentCode tangent_code(const DifferentiatedRun& of);

}  // namespace herglotz::simulate
