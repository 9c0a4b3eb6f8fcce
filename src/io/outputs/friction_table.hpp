#pragma once
/// Reading of the [friction] table: Coulomb friction on velocities.

#include "herglotz/mechanics/system.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads one entry of the table, { on = "v", normal = "m*g", static = 0.4, kinetic = 0.3 }, and adds it to the system,
/// whose forces and constraints have been read. `role` is that of a force. Throws InputError.
void read_friction(const Vocabulary& vocabulary, const Member& entry, const ExpressionRole& role,
                   mechanics::System& system);

}  // namespace herglotz::io
