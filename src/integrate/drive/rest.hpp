#pragma once
/// Whether a motion is still where its run began, and the sizes that one which leaves rest at the origin soon has.

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "drive/error_control.hpp"
#include "herglotz/kernel/least_size.hpp"
#include "numerics/pack.hpp"

namespace herglotz::integrate {

class RightSide;

/// Share of the duration of a run that no step exceeds while the motion is at rest. No step has an error there, and a
/// pulse that acts later would be stepped over.
inline constexpr double share_at_rest = 1e-3;

/// Returns whether x, w and nu are at the state `start` to round-off of its largest entry. The action z grows at rest
/// too.
template <class P>
MaskOf<P> at_rest(const ErrorControl& control, const P* y, const P* start) {
  constexpr int action = 2;
  P largest(0.0);
  P moved(0.0);
  for (int g = 0; g < ErrorControl::groups; ++g)
    for (std::size_t i = control.bounds[g]; g != action && i < control.bounds[g + 1]; ++i) {
      largest = larger(magnitude(start[i]), largest);
      moved = larger(magnitude(y[i] - start[i]), moved);
    }
  return moved <= larger(P(16 * std::numeric_limits<double>::epsilon()) * largest, P(kernel::least_size));
}

/// Returns the sizes that the groups x, w, z and nu soon have if a run starts at rest at the origin, where they have
/// none by which an error could be measured: those of an implicit Euler step of a thousandth of the run, (1 - tau J) dy
/// = tau f(t0 + tau, y0), which has the size of the motion also where it is stiff; or of 0.6 of that, if they are
/// larger, as a force may vanish at one time. If nothing moves then, the times after it are tried, each twice the one
/// before. All are 0 for other starts, where f has no Jacobian or does not move the state, and for more than 100
/// entries.
std::array<double, ErrorControl::groups> sizes_soon(const ErrorControl& control, RightSide& right_side, double t0,
                                                    double t_end, const std::vector<double>& y0);

}  // namespace herglotz::integrate
