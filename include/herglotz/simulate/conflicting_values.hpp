#pragma once
/// The values of a start that conflict with a value that is set: velocities, momenta and a second position exclude each
/// other.

#include <string_view>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Removes from `initial` and `next` the values that conflict with `name`: a velocity replaces momenta and the second
/// position, a momentum replaces velocities and the second position; other names replace nothing.
void drop_conflicting_values(const mechanics::System& system, std::string_view name, InitialState& initial,
                             InitialState& next);

}  // namespace herglotz::simulate
