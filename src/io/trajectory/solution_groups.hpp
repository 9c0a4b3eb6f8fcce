#pragma once
/// Attributes and groups of the HDF5 file of a solution.

#include <hdf5.h>

#include <optional>

#include "herglotz/control/solution.hpp"

namespace herglotz::io {

/// Writes the facts as attributes of the root, and the groups /mesh and /multipliers.
void write_solution_groups(hid_t file, const control::SolutionFacts& solution);
/// Reads what write_solution_groups wrote; `std::nullopt` if the file has no group /mesh. Throws Hdf5Failure if parts
/// are missing or do not fit together.
std::optional<control::SolutionFacts> read_solution_groups(hid_t file);

}  // namespace herglotz::io
