#pragma once
/// Frictions as switches.

#include <utility>
#include <vector>

#include "herglotz/mechanics/events/switches.hpp"

namespace herglotz::mechanics {

/// Gives the forces of frictions parameters for their modes, and returns the switches with their functions. The system
/// has no frictions afterwards; their works are put into `works`.
std::vector<std::pair<Switch, Expr>> frictions_of(System& system, std::vector<FrictionWork>& works);
/// Gives frictions on one velocity beside ones on two what their shares need to change in time.
void add_changes(const System& system, std::vector<Switch>& switches);
/// Appends the events of the slip planes, behind those of all switches.
void add_plane_events(SwitchedSystem& switched);
/// Appends the forces of the frictions on one velocity that share or may change.
void add_share_events(SwitchedSystem& switched);
/// Gives a friction the force of one that shares, in place of that with which it slips.
void let_share(SwitchedSystem& switched, const Switch& one);
/// Lets friction on two velocities share at rest along velocity number `k` of the two, and returns that force.
Expr share_in_plane(System& system, const Switch& one, std::size_t k);

}  // namespace herglotz::mechanics
