#pragma once
/// Run as one JSON object, in place of its summary.

#include <string>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::app {

/// Prints the facts of the run under the names of the attributes of its HDF5 file, with `rows`, the first and the last
/// row as `start` and `end`, the number of times each event happened, and the files that were written. A number that is
/// not finite is null.
void print_run_json(const analyse::Trajectory& trajectory, const std::vector<std::string>& written);

}  // namespace herglotz::app
