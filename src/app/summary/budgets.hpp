#pragma once
/// The work of friction and the loss of jumps in a run, for its summary.

#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::app {

/// Returns the columns work.<name> of the frictions and impacts of a run, drive.<name> of its moved surfaces and
/// loss.<event> of its jumps, if it has rows:
/// the budgets of the energy law. An observable with such a name is left out.
std::vector<const analyse::Column*> budget_columns(const analyse::Trajectory& trajectory);

}  // namespace herglotz::app
