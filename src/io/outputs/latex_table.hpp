#pragma once
/// Reading of the [latex] table: how names are typeset.

#include "herglotz/mechanics/system.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads how names of the system are typeset. Each text must be complete on its own. Throws InputError.
void read_latex_table(const Vocabulary& vocabulary, const Value& table, mechanics::System& system);

}  // namespace herglotz::io
