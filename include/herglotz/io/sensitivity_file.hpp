#pragma once
/// Derivatives of runs in trajectory files: the group /sensitivity of HDF5, and columns beside the others in CSV.

#include <cstdio>
#include <filesystem>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::io {

/// Columns of derivatives: the time, then d.<column>.d.<name>, with a value for every row of a trajectory.
using DerivativeColumns = std::vector<analyse::Column>;

/// Writes a trajectory with its derivatives, otherwise as without them.
void write_trajectory(const analyse::Trajectory& trajectory, const DerivativeColumns& derivatives,
                      const std::filesystem::path& file);
/// Write a CSV or an HDF5 file as the functions of these names do, with the derivatives.
void write_csv(const analyse::Trajectory& trajectory, const DerivativeColumns& derivatives,
               const std::filesystem::path& file);
void write_hdf5(const analyse::Trajectory& trajectory, const DerivativeColumns& derivatives,
                const std::filesystem::path& file);
/// Writes the rows with their derivatives to a stream. Returns false if not all of them were written.
bool print_csv(const analyse::Trajectory& trajectory, const DerivativeColumns& derivatives, std::FILE* stream);
/// Reads the derivatives of a run from an HDF5 file; `{}` if it has none.
DerivativeColumns read_derivatives(const std::filesystem::path& file);

}  // namespace herglotz::io
