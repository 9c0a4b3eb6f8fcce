#pragma once
/// The [gauge] table: what is done with rates that a singular Lagrangian leaves undetermined.

#include "herglotz/mechanics/system.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Throws InputError.
void read_gauge_table(const Vocabulary& vocabulary, const Value& table, mechanics::System& system);

}  // namespace herglotz::io
