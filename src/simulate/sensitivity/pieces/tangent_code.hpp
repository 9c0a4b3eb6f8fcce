#pragma once
/// Compiled code of the variational equations of a system, and of their adjoints.

#include <memory>
#include <string>
#include <vector>

#include "herglotz/sensitivity/adjoint_steps.hpp"
#include "herglotz/sensitivity/step_maps.hpp"
#include "herglotz/sensitivity/tangent_steps.hpp"
#include "sensitivity/pieces/differentiated_run.hpp"

namespace herglotz::simulate {

/// Steps with their derivatives, and the functions whose derivatives are wanted.
struct TangentCode {
  std::unique_ptr<sensitivity::TangentSteps> steps;
  /// Derivatives along (dy, dtheta, dt) of the columns, then of what events_program has, then of the mass matrix (r x
  /// r) if there are impacts; and after them the values of all these. The variables are (y, dy, t), the parameters
  /// (theta, dtheta, dt).
  kernel::Kernel functions;
  /// Names of the columns: the state, multipliers of constraints, quantities of laws, observables.
  std::vector<std::string> columns;
};

/// Compiles the derivatives of many steps at once for a run whose method has them. Returns nothing if it has none, or
/// where single steps cost less.
std::unique_ptr<sensitivity::StepMaps> step_maps(const DifferentiatedRun& of);

/// Compiles the code for the pieces of a run that these switches hold. Steps end with the projection onto constraints
/// and what holds them. Throws Refused, with the reason, if there is no such code.
TangentCode tangent_code(const DifferentiatedRun& of, const mechanics::Holds& holds);

/// Adjoints of steps, and of the functions whose derivatives are wanted.
struct AdjointCode {
  std::unique_ptr<sensitivity::AdjointSteps> steps;
  /// Derivatives (c.F_y, c.F_theta, c.F_t) of the functions of TangentCode. The variables are (y, c, t), the parameters
  /// theta.
  kernel::Kernel functions;
  std::vector<std::string> columns;  ///< names of the columns, as those of TangentCode
};

/// Compiles the code for the pieces of a run of an explicit or implicit Runge-Kutta method that these switches hold.
/// Throws as tangent_code() does.
AdjointCode adjoint_code(const DifferentiatedRun& of, const mechanics::Holds& holds);

}  // namespace herglotz::simulate
