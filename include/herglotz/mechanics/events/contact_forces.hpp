#pragma once
/// Contact forces as parameters, for steps that go over impacts.

#include <vector>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::mechanics {

/// Returns the parameters of the contact force of an impact: that along the rate of the gap, and behind it those of
/// friction along the slips.
std::vector<Expr> contact_force(const System& system, const Event& event);

/// Returns the system under the contact forces of all its impacts, which are parameters behind those of the system and
/// act along the derivatives of the rates of gaps and of the slips by the velocities.
System with_contact_forces(const System& system);

}  // namespace herglotz::mechanics
