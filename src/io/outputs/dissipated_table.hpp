#pragma once
/// Reading of the [dissipated] table: functions that the motion is said to dissipate.

#include "herglotz/mechanics/system.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads one entry of the table into the system, which has its symmetries already. Throws InputError for an expression
/// with velocities, and for a name that a symmetry has.
void read_dissipated(const Vocabulary& vocabulary, const Member& entry, mechanics::System& system);

}  // namespace herglotz::io
