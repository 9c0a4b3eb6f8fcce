#pragma once
/// The rate at which a motion changes the volume of phase space.

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// The column that has this rate on demand.
inline constexpr const char* volume_column = "volume_rate";

/// Returns the divergence of the motion by the volume dx dp dz = det W dx dy dz [LJL21, Prop. 5],
///   (r + 1) L_z + y^a (d rho^i_a/dx^i + c^j_aj) + tr(F_y W^-1),
/// as a function of the state. `equations` are the result of `derive`. Throws Refused for a system with constraints.
Expr volume_rate(const System& system, const Equations& equations);

}  // namespace herglotz::mechanics
