#pragma once
/// Tables of numbers in CSV files.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::io {

/// Meaning of an empty field: an error, a missing value, or the end of its column, behind which all fields are empty.
enum class EmptyField { error, missing, end };

/// Reads a CSV file whose first line has the names of the columns and whose other lines have numbers in the columns
/// that `numbers` names (in all if it is empty); others are NaN. Roles are not known. A missing value is NaN. Blanks
/// around values, and a byte order mark, are left out. Throws InputError with the line for anything else, and with
/// `remedy` if there is no such file.
std::vector<analyse::Column> read_csv(const std::filesystem::path& file, std::string_view remedy,
                                      EmptyField empty = EmptyField::error, std::span<const std::string> numbers = {});

/// Reads the text of such a file; `name` is its name in errors.
std::vector<analyse::Column> parse_csv(const std::string& text, const std::string& name,
                                       EmptyField empty = EmptyField::error, std::span<const std::string> numbers = {});

}  // namespace herglotz::io
