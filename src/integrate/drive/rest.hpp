#pragma once
/// Whether a motion is still where its run began.

#include <cstddef>
#include <limits>

#include "drive/error_control.hpp"
#include "herglotz/kernel/least_size.hpp"
#include "numerics/pack.hpp"

namespace herglotz::integrate {

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

}  // namespace herglotz::integrate
