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

/// Returns whether the surface of an impact is moved: its gap depends on time.
bool is_driven(const Event& event);
/// An impact with a moved surface whose contact force lambda is a multiplier of the system: where the gap g stays 0,
/// that force has the power lambda G y = -lambda dg/dt, with the rate dg/dt of the gap of a body at rest.
struct DrivenContact {
  std::string name;
  Expr power;
};
/// Returns all of them in the order of the events.
std::vector<DrivenContact> driven_contacts(const System& system);
/// Returns for each of them the law dW/dt = L_z W + power of the work of its motion, with W = 0 at the start. It is a
/// part of the budget of the energy law. Accuracy is measured by the scale of the energy.
std::vector<BalanceLaw> drive_laws(const System& system, const BalanceLaw& energy);

/// Returns the program of the sizes of the terms of all gaps, in the order of the events: a gap is rounded by a few
/// units of round-off times its size. The size of an event that is no impact is 0.
symbolic::Program gap_sizes_program(const System& system, const Equations& equations);

}  // namespace herglotz::mechanics
