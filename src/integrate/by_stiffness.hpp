#pragma once
/// Runs of `reference` that go on with radau-5 where the motion is stiff.

#include "motion/run.hpp"

namespace herglotz::integrate {

Outcome run_by_stiffness(const Run& run);

}  // namespace herglotz::integrate
