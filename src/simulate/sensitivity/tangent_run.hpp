#pragma once
/// Exact derivatives of runs, by variational equations.

#include <functional>
#include <string>

#include "sensitivity/pieces/tangent_code.hpp"

namespace herglotz::simulate {

/// Returns whether variational equations go through the steps of this run.
bool has_tangent(const DifferentiatedRun& of);
/// Returns whether they would by the method reference.
bool has_tangent_by_reference(const DifferentiatedRun& of);
/// Returns what the run has, by its name in a model, through which variational equations go with no method; empty if
/// there is nothing of the kind.
std::string obstacle(const DifferentiatedRun& of);

/// Returns the code for the pieces of a run that these switches hold.
using CodeOfPieces = std::function<TangentCode&(const mechanics::Holds& holds)>;

/// Repeats the steps of the run with the variational equations from `slopes`, the derivatives of its start, and adds
/// the derivatives of its rows and crossings. Throws RunFailed if a step has no derivative, or if another start would
/// not be held as this one is. `maps` are those of many steps at once, or nothing.
void follow_tangents(const DifferentiatedRun& of, const CodeOfPieces& code_of, sensitivity::StepMaps* maps,
                     const std::vector<std::vector<double>>& slopes);

}  // namespace herglotz::simulate
