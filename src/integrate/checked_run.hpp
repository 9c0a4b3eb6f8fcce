#pragma once
/// Checks before a run.

#include <functional>

#include "motion/run.hpp"

namespace herglotz::integrate {

/// Checks a run and calls `follow` with it, from the nearest state on the constraints if there are any. Throws and
/// returns as integrate() does.
Outcome checked_run(const Run& run, const std::function<Outcome(const Run& run)>& follow);

}  // namespace herglotz::integrate
