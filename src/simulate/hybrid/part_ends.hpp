#pragma once
/// Events at the time at which a part of a run ends.

#include <cstddef>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/mechanics/system.hpp"

namespace herglotz::simulate {

/// The functions of all events at the ends of a part.
struct PartEnds {
  double duration = 0;
  double instant = 0;  ///< resolution of time
  std::vector<double> before;
  std::vector<double> now;
};

/// Returns whether the function of event k has come to zero at the end of the part, in the direction given. It counts
/// as zero if it is so within its rounding, or within that of time at its mean rate: a clock that is passed over would
/// not come again. In a part that is itself not longer than that rounding, it must have changed by as much as it
/// differs from zero.
bool comes_to_zero(const PartEnds& ends, std::size_t k, mechanics::Direction direction);

/// Returns whether event k has a row at the time of the last row of a trajectory, within the resolution of time.
bool has_last_row(const analyse::Trajectory& trajectory, std::size_t k, double instant);
/// Gives event k the last row of a trajectory, unless it has one of that time.
void record_last_row(analyse::Trajectory& trajectory, std::size_t k, double instant);

/// Removes the last row of event k.
void remove_last_row(analyse::Trajectory& trajectory, std::size_t k);

}  // namespace herglotz::simulate
