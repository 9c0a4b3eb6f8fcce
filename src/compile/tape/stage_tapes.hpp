#pragma once
/// y' = f(t, y) as tapes with variables (y, t).

#include "herglotz/kernel/loop_entries.hpp"
#include "herglotz/symbolic/program.hpp"
#include "tape/tape.hpp"

namespace herglotz::compile {

/// Tapes of the stages of a step. `rates` has the outputs y'. `start` has y', then the scale of every budget if error
/// weights are formed, then the checks.
struct StageTapes {
  Tape start;
  Tape rates;
};

/// Returns the tapes of a motion, as compile_adaptive() takes it.
StageTapes adaptive_tapes(const symbolic::Program& motion, const kernel::StateLayout& entries);

}  // namespace herglotz::compile
