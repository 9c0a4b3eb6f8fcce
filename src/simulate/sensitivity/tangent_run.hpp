#pragma once
/// Exact derivatives of the runs of explicit methods, by variational equations.

#include "sensitivity/tangent_code.hpp"

namespace herglotz::simulate {

/// Returns whether variational equations go through the steps of this run.
bool has_tangent(const DifferentiatedRun& of);

/// Repeats the steps of the run with the variational equations from `slopes`, the derivatives of its start, and adds
/// the derivatives of its rows and crossings. Throws RunFailed if a step has no derivative.
void follow_tangents(const DifferentiatedRun& of, TangentCode& code, const std::vector<std::vector<double>>& slopes);

}  // namespace herglotz::simulate
