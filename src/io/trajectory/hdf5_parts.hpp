#pragma once
/// HDF5 files of a trajectory with further parts.

#include <hdf5.h>

#include <filesystem>
#include <functional>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::io {

/// Writes the columns, events and facts of a trajectory; `parts`, if it is not empty, then adds to the open file and
/// throws Hdf5Failure where it cannot. The file appears whole or not at all. Throws InputError for a place that cannot
/// be written and for names that cannot be stored.
void write_with_parts(const analyse::Trajectory& trajectory, const std::filesystem::path& file,
                      const std::function<void(hid_t file)>& parts);

/// Calls `parts` with the open file of a trajectory. Throws InputError for any other file, and where `parts` throws
/// Hdf5Failure.
void read_parts(const std::filesystem::path& file, const std::function<void(hid_t file)>& parts);

}  // namespace herglotz::io
