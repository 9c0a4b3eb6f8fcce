#pragma once
/// Reading of the [impacts] table: unilateral constraints with restitution and friction.

#include "herglotz/mechanics/system.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads one entry of the table, { gap = "q", restitution = 0.8, friction = 0.2, slip = ["v"] }, and adds it to the
/// system. Throws InputError.
void read_impact(const Vocabulary& vocabulary, const Member& entry, mechanics::System& system);

}  // namespace herglotz::io
