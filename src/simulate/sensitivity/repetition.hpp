#pragma once
/// Settings that make the steps of a run again.

#include "sensitivity/differentiated_run.hpp"

namespace herglotz::simulate {

/// Returns whether the steps of the run are adaptive and have polynomials: then rows do not end steps, whose sizes are
/// fixed, and states inside steps are on the polynomials.
bool has_polynomial(const DifferentiatedRun& of);

/// Returns the settings that make the same steps again from the time t0, where the run or a smooth piece of it begins,
/// and show each of them. Rows at the times `moving`, which were not planned, do not end steps.
integrate::Settings settings_of_repetition(const DifferentiatedRun& of, double t0, const std::vector<double>& moving);

}  // namespace herglotz::simulate
