#pragma once
/// Derivatives of the start of a run by parameters and initial values.

#include <optional>
#include <string>
#include <vector>

#include "herglotz/simulate/members.hpp"
#include "herglotz/simulate/sensitivity.hpp"
#include "sensitivity/pieces/tangent_code.hpp"

namespace herglotz::simulate {

/// Returns the names by which a run is differentiated as parameters and initial values. Throws Refused
/// for names that are neither, for the time, and for a name that is given twice.
std::vector<Varying> directions_of(const mechanics::System& system, const std::vector<std::string>& state,
                                   const std::vector<std::string>& wrt);

/// Returns the values of a request: its initial values with those of expressions, except for the expressions of the
/// directions.
SensitivityRequest evaluated(const mechanics::System& system, SensitivityRequest request,
                             const std::vector<Varying>& directions);

/// Returns the value of a direction in an evaluated request.
double value_of(const mechanics::System& system, const SensitivityRequest& request, const Varying& direction);

/// Returns the derivative of the state at the start of an evaluated request along each direction. It is exact for
/// values that are given directly. Starts from momenta, from a second position, and from expressions are differentiated
/// by central differences. Throws RunFailed if there is no derivative.
std::vector<std::vector<double>> start_slopes(const Simulator& simulator, const SensitivityRequest& request,
                                              const std::vector<Varying>& directions,
                                              const std::vector<std::string>& state);

/// Returns the same for a run of a model with constraints whose start obeys them as it is given: the derivatives of the
/// given values, moved along the constraints by those of the projection with which the steps of `code` end, whose
/// directions are those of the run. Returns nothing if the start is found in another way, or if a direction leads off
/// the constraints and no projection is asked for.
std::optional<std::vector<std::vector<double>>> slopes_along_constraints(const DifferentiatedRun& of,
                                                                         TangentCode& code);

}  // namespace herglotz::simulate
