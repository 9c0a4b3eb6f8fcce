#pragma once
/// Trajectory files: CSV and HDF5 with the documented columns.

#include <cstdio>
#include <filesystem>
#include <string>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

/// Writes a trajectory in the format of the file's ending (.csv, .h5). The file appears whole or not at all: it is
/// written beside its place and renamed. Throws InputError for another ending or a place that cannot be written.
void write_trajectory(const analyse::Trajectory& trajectory, const std::filesystem::path& file);
/// Writes a CSV file; the states at events, if there are any, go to events_file(file).
void write_csv(const analyse::Trajectory& trajectory, const std::filesystem::path& file);
/// Writes the rows to a stream. Returns false if not all of them were written.
bool print_csv(const analyse::Trajectory& trajectory, std::FILE* stream);
/// Returns the path to which write_csv writes the states at the events: `run.events.csv` beside `run.csv`. It has one
/// row for each crossing in the order of the run, with the event's name before the columns of the trajectory.
std::filesystem::path events_file(const std::filesystem::path& csv);
void write_hdf5(const analyse::Trajectory& trajectory, const std::filesystem::path& file);
/// Reads an HDF5 file written by write_hdf5, with columns, roles and facts.
analyse::Trajectory read_hdf5(const std::filesystem::path& file);

/// Turns off the messages of the HDF5 library in the whole process, also the messages that it prints as the process
/// ends. While files are read and written, the library is silent without this call too.
void silence_hdf5();

}  // namespace herglotz::io
