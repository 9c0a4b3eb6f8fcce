#pragma once
/// What of a start gives way to a value that is set: velocities, momenta and a second position exclude each other.

#include <string_view>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Takes out of `initial` and `next` what `name` does not go with: a velocity replaces momenta and the second position,
/// a momentum velocities and the second position; other names replace nothing.
void make_way(const mechanics::System& system, std::string_view name, InitialState& initial, InitialState& next);

}  // namespace herglotz::simulate
