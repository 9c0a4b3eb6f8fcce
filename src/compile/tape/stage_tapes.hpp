#pragma once
/// y' = f(t, y) as tapes with variables (y, t).

#include "tape/tape.hpp"

namespace herglotz::compile {

/// Tapes of the stages of a step. `rates` has the outputs y'. `start` has y', then the scale of every budget if error
/// weights are formed, then the checks.
struct StageTapes {
  Tape start;
  Tape rates;
};

}  // namespace herglotz::compile
