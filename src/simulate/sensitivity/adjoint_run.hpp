#pragma once
/// Derivatives of functions of the runs of explicit and implicit Runge-Kutta methods, by the adjoints of their steps.

#include <functional>
#include <optional>

#include "sensitivity/tangent_run.hpp"

namespace herglotz::simulate {

/// Returns whether this run can be followed backwards by the adjoints of its steps.
bool has_adjoint(const DifferentiatedRun& of);

/// Code of a run backwards, for the pieces that these switches hold; `variation` is that of variational equations of
/// one direction, for the residual.
struct ReverseCode {
  std::function<AdjointCode&(const mechanics::Holds& holds)> adjoint;
  CodeOfPieces variation;
  sensitivity::StepMaps* maps = nullptr;  ///< of many steps at once, or nothing
};

/// Returns the derivatives of a function of the run by the directions, or `std::nullopt` if the run or what follows a
/// jump begins at a switch, or held by one. `slopes` are the derivatives of the start. Throws RunFailed if a step has
/// no derivative, and Refused for a column that is not differentiated.
std::optional<Gradient> follow_adjoint(const DifferentiatedRun& of, const ReverseCode& code,
                                       const std::vector<std::vector<double>>& slopes, const Cotangents& cotangents);

}  // namespace herglotz::simulate
