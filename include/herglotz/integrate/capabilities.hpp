#pragma once
/// What a method can follow besides smooth motions.

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Returns whether the method has states inside its steps, so that it locates events and switches there.
bool locates_events(const MethodInfo& method);
/// Returns whether steps of the method go over impacts, several at once: it ends no step at one, nor at a switch.
bool steps_over_impacts(const MethodInfo& method);
/// Returns whether the method locates the switches of a motion and ends a step at each.
bool locates_switches(const MethodInfo& method);
/// Returns whether the method follows friction: it locates events, and honours the nonholonomic constraints by which
/// bodies stick.
bool follows_friction(const MethodInfo& method);

}  // namespace herglotz::integrate
