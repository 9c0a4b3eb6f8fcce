#pragma once
/// Events that change the state: resets, and impacts against unilateral constraints.

#include <cstddef>
#include <string>
#include <vector>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::mechanics {

/// New value of an entry of the state at an event, in the symbols that an observable may use, at the state before it.
struct Reset {
  std::string entry;  ///< name of a base coordinate, a fibre coordinate (momentum) or the action
  Expr value;
};

/// Impact against a unilateral constraint gap(x, t) >= 0. The impulse acts along the differential of the gap, and along
/// that of the slip within Coulomb's cone.
struct Impact {
  Expr gap;
  Expr restitution;        ///< Newton's coefficient: minus the rate of the gap afterwards over that before
  Expr friction;           ///< Coulomb's coefficient
  std::vector<Expr> slip;  ///< velocities of the point of contact along the surface: none, one or two
};

// What an event changes follows it in System::events, as functions of the state whose names have a space, which no name
// of a model has. So these functions are derived, substituted and compiled together with the events.

/// Adds an event that changes entries of the state, all at once.
void add_reset(System& system, Event event, const std::vector<Reset>& resets);
/// Adds an impact, which is an event at which the gap falls through zero.
void add_impact(System& system, const std::string& name, const Impact& impact);

/// Places in System::events of an event and of what it changes.
struct Jump {
  std::size_t event = 0;
  std::vector<std::string> entries{};  ///< of a reset: names of the entries that change
  bool impact = false;
  std::size_t slips = 0;
  /// The place of the new value of the first entry, the others follow; of an impact, of its restitution. Then follow
  /// friction, d gap/dt at rest, its derivatives by the velocities (r), and each slip with its derivatives (1 + r).
  std::size_t first = 0;
};
std::vector<Jump> jumps_of(const System& system);
/// Returns whether some event changes the state.
bool has_jumps(const System& system);
/// Returns the places of the events in System::events, without what they change.
std::vector<std::size_t> events_alone(const System& system);
/// Returns the events that do not change the state.
std::vector<Event> events_without_jumps(const System& system);

}  // namespace herglotz::mechanics
