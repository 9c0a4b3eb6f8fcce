#pragma once
/// The [sweep] table: what varies over an ensemble, and what is kept of its members.

#include "herglotz/ensemble/ensemble.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads the table into the plan's sweep and output, for its problem, which is complete.
void read_sweep_table(const Vocabulary& vocabulary, const Value& table, ensemble::Plan& plan);

}  // namespace herglotz::io
