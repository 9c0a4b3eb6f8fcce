#pragma once
/// States at which the equations do not give the accelerations.

#include <span>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Returns the reason why accelerations and multipliers are not determined at a state (x, w, z), with nu for a
/// vakonomic system: a singular W, or constraints that are not independent there. The reason is empty if they are
/// determined, or if the dynamics lacks the stage Jacobian, without which this is not known.
Reason why_undetermined(const Dynamics& dynamics, std::span<const double> parameters, double t,
                        std::span<const double> state);

}  // namespace herglotz::integrate
