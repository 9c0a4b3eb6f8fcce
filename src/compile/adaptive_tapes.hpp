#pragma once
/// y' = f(t, y) as tapes with variables (y, t).

#include "tape.hpp"

namespace herglotz::compile {

/// `rates` has the outputs y', `start` the same and then the scale of every budget, which the weights of a step are
/// made with.
struct AdaptiveTapes {
  Tape start;
  Tape rates;
};

}  // namespace herglotz::compile
