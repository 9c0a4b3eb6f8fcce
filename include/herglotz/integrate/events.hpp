#pragma once
/// Functions of the state that a run watches for zeros.

#include <functional>
#include <string>
#include <vector>

#include "herglotz/kernel/kernel.hpp"

namespace herglotz::integrate {

struct Sample;

/// Direction of a crossing in time: a rising crossing goes from negative to positive values as t increases, also in a
/// run backwards.
enum class Direction { any, rising, falling };

struct Crossing {
  std::string name;
  Direction direction = Direction::any;
  bool stop = false;  ///< the run ends at the first crossing
};

/// Functions that a run watches. A crossing is a change of sign; a start on the zero set and a zero without a change of
/// sign (a tangency) are not crossings. A crossing is located in time to round-off, 4e-16 |t| + 1e-14 of the step, on
/// states of the method itself: states of a shorter step (fixed-step methods, reference) or of the method's own
/// polynomial (stiff). Two crossings of one function inside a step are found if the cubic through values and rates at
/// its ends shows them.
struct Watch {
  std::vector<Crossing> crossings;
  kernel::Kernel values;  ///< variables v = (x, w, z, t, l): one value for each crossing
  /// Receives the index of the crossing and the state there, in the order of the run; false stops the run.
  std::function<bool(std::size_t crossing, const Sample& sample)> found;
};

}  // namespace herglotz::integrate
