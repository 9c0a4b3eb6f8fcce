#pragma once
/// Runs of the model's discrete Lagrangian.

#include "motion/run.hpp"

namespace herglotz::integrate {

/// Follows a run by the discrete Herglotz equations of the model's [discrete] Lagrangian. Throws Refused
/// if the dynamics lacks its kernels.
Outcome run_discrete_herglotz(const Run& run);

}  // namespace herglotz::integrate
