#pragma once
/// Size of the action of a step, by which updates of z are measured.

#include "numerics/pack.hpp"

namespace herglotz::integrate {

/// Share of a term that may be left where other terms cancel it.
inline constexpr double cancelled_share = 1e-6;
/// Size of what has none, such as the velocities of a system at rest at the origin.
inline constexpr double least_size = 1e-290;
/// Share of x that bounds displacements from below: near rest they are only round-off of x.
inline constexpr double displaced = 1e-3;

/// Returns the size of z in a step: its action h L bounds it from below, and so does a share of h sum_i |p_i v_i|, the
/// action of its kinetic energy, which may cancel in L. Only actions bound z: they have its units.
template <class P>
P action_size(P z, P action, P kinetic) {
  return larger(larger(magnitude(z), magnitude(action)), larger(P(cancelled_share) * kinetic, P(least_size)));
}

}  // namespace herglotz::integrate
