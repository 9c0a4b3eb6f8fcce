#pragma once
/// Events that change the state: resets, and impacts against unilateral constraints.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Adds an impact, which is an event at which the gap falls through zero. Of `impact`, the caller gives restitution,
/// friction and slip.
void add_impact(System& system, const std::string& name, const Expr& gap, Impact impact);

/// Returns whether an event changes the state.
bool changes_state(const Event& event);
/// Returns whether some event of a system changes the state.
bool has_jumps(const System& system);

/// Returns the functions that say how an event changes the state: the new values of the entries; or, of an impact,
/// restitution, friction, d gap/dt at rest, its derivatives by the velocities (r), and each slip with its derivatives
/// (1 + r).
std::vector<Expr> jump_functions(const Event& event);
/// Replaces every function of an event, that of its zeros and those of its jump, by what `change` makes of it.
void change_functions(Event& event, const std::function<Expr(const Expr&)>& change);

/// An event that changes the state, and the place of the first of its `jump_functions` among the outputs of
/// `events_program`: the functions of all events come first, then those of the jumps in the order of the events.
struct Jump {
  std::size_t event = 0;
  std::size_t first = 0;
};
std::vector<Jump> jumps_of(const System& system);

/// Returns the program of the sizes of the terms of all gaps, in the order of the events: a gap is rounded by a few
/// units of round-off times its size. The size of an event that is no impact is 0.
symbolic::Program gap_sizes_program(const System& system, const Equations& equations);

}  // namespace herglotz::mechanics
