#pragma once
/// Settings and starts that a problem passes on to the problems that are made of it.

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

inline constexpr const char* columns_are_new = "columns are all of the reduced system's";

/// Returns the settings of a problem, without what belongs to its own columns.
Settings carried(const Settings& settings);

/// Returns the start of a problem with velocities: they are found from momenta, and after `project`, as a run finds
/// them.
InitialState full_start(const Problem& problem);

}  // namespace herglotz::simulate
