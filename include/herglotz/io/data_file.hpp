#pragma once
/// Measurements in CSV files.

#include <filesystem>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::io {

/// Reads a CSV file of measurements: names of columns, then a row of numbers for every time. An empty field is a
/// missing value, NaN. Throws InputError with the line for anything else.
std::vector<analyse::Column> read_data(const std::filesystem::path& file);

}  // namespace herglotz::io
