#pragma once
/// Derivatives of functions of the runs of explicit and implicit Runge-Kutta methods, by the adjoints of their steps.

#include <optional>

#include "sensitivity/tangent_code.hpp"

namespace herglotz::simulate {

/// Returns whether this run can be followed backwards by the adjoints of its steps.
bool has_adjoint(const DifferentiatedRun& of);

/// Returns the derivatives of a function of the run by the directions, or `std::nullopt` if a switch or friction holds
/// the motion in one of its pieces. `slopes` are the derivatives of the start, and `variation` is the code of
/// variational equations of one direction, for the residual. `maps` are those of many steps at once, or nothing. Throws
/// RunFailed if a step has no derivative, and Refused for a column that is not differentiated.
std::optional<Gradient> follow_adjoint(const DifferentiatedRun& of, AdjointCode& code, TangentCode& variation,
                                       sensitivity::StepMaps* maps, const std::vector<std::vector<double>>& slopes,
                                       const Cotangents& cotangents);

}  // namespace herglotz::simulate
