#pragma once
/// y' = f(t, y) as tapes with variables (y, t).

#include "tape/tape.hpp"

namespace herglotz::compile {

/// `rates` has the outputs y', `start` the same and then, where error weights are made of them, the scale of every
/// budget, then the checks.
struct StageTapes {
  Tape start;
  Tape rates;
};

}  // namespace herglotz::compile
