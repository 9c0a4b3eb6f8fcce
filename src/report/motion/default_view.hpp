#pragma once
/// Picture of a motion whose model states none, from the names of its coordinates.

#include <optional>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/io/view.hpp"

namespace herglotz::report {

/// Returns a view of positions and attitudes that the names of coordinates tell: quaternions q0 to q3, matrices r11 to
/// r33, positions x, y and z, angles of heading, rates of so(3), se(3) and se(2) without a base; one or several other
/// coordinates become beads. `std::nullopt` if there are no coordinates.
std::optional<io::View> default_view(const analyse::Trajectory& trajectory);

}  // namespace herglotz::report
