#pragma once
/// Derivatives of runs with steps of one size, by differences of whole runs in lanes.

#include "sensitivity/pieces/differentiated_run.hpp"

namespace herglotz::simulate {

/// Adds the derivatives of the rows of the run, in all columns or in those of these names, and a note with the largest
/// estimate of their relative error. Throws RunFailed if a run beside the run fails, or if a derivative is not
/// accurate.
void difference_runs(const DifferentiatedRun& of, const std::vector<std::string>* only = nullptr);

}  // namespace herglotz::simulate
