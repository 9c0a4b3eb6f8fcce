#pragma once
/// Reading of the [units] table, and the check of what it says.

#include "herglotz/mechanics/system.hpp"
#include "toml/source.hpp"

namespace herglotz::io {

/// Checks that the terms of every sum in a model have one unit, as far as the units of names are known: those that
/// [units] gives, 1 for numbers, and what follows for velocities of a tangent bundle, momenta, the energy and the
/// action. Does nothing if the document has no such table. Throws InputError.
void check_units(const Source& source, const Value& document, const mechanics::System& system);

}  // namespace herglotz::io
