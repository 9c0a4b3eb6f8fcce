#pragma once
/// Reading of the [discrete] table: a discrete Lagrangian, or the rule that makes one.

#include "herglotz/simulate/simulate.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads the table into the problem, whose system must be complete. Claims <base>0, <base>1, <action>0, <action>1,
/// <time>0 and h.
void read_discrete_table(Vocabulary& vocabulary, const Value& table, simulate::Problem& problem);

}  // namespace herglotz::io
