#pragma once
/// Settings that make the steps of a run again.

#include "sensitivity/differentiated_run.hpp"

namespace herglotz::simulate {

/// Returns the settings that make the same steps again from the time t0, and show each of them.
integrate::Settings settings_of_repetition(const DifferentiatedRun& of, double t0);

}  // namespace herglotz::simulate
