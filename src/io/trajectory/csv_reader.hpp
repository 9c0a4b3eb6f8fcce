#pragma once
/// Tables of numbers in CSV files.

#include <filesystem>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::io {

/// What an empty field stands for.
enum class EmptyField { error, missing };

/// Reads a CSV file whose first line has the names of the columns and whose other lines have numbers. Roles are not
/// known. A missing value is NaN. Throws InputError with the line for anything else.
std::vector<analyse::Column> read_csv(const std::filesystem::path& file, EmptyField empty = EmptyField::error);

}  // namespace herglotz::io
