#pragma once
/// Runs of which the state (x, w) alone is wanted.

#include "herglotz/integrate/dynamics.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Returns the dynamics of a simulator whose steps carry only the entries that x and w depend on: not the action,
/// unless forces use it, no integrating factor and no budgets. Numbers that are not carried are NaN in samples and
/// outcomes, and no law can be verified. It has such steps for `runge-kutta-4`, `runge-kutta-8` and `taylor`, whose
/// motion is compiled again here; for other methods, and for systems with constraints, it returns dynamics_for(method).
/// With steps of one size x and w are those of a whole run up to round-off; Taylor polynomials choose their steps by
/// the errors of what is carried. The simulator may not be used by other threads during the call. Throws Refused as
/// dynamics_for() does.
integrate::Dynamics state_dynamics(const Simulator& simulator, const integrate::MethodInfo& method);

}  // namespace herglotz::simulate
