#pragma once
/// Runs of a discrete Lagrangian on an action groupoid.

#include "motion/run.hpp"

namespace herglotz::integrate {

/// Follows a run by the discrete Herglotz equations on the groupoid of the dynamics. Throws Refused if the dynamics
/// lacks the kernels of DiscreteKernels or GroupoidKernels.
Outcome run_arrows(const Run& run);

}  // namespace herglotz::integrate
