#pragma once
/// The owner of a file at the path of an output, and files that appear whole or not at all.

#include <filesystem>
#include <string_view>

namespace herglotz::io {

enum class Occupant {
  nothing,
  ours,            ///< may be replaced: a run, a report, the table of a run, a sweep that was stopped
  complete_sweep,  ///< ours, and the result of long work
  foreign          ///< anything else, including a link to a file that does not exist
};

/// Returns whose file is at this path. Our files are HDF5 with the attributes `creator` = "herglotz" and `version`,
/// HTML with our generator tag, and CSV whose first line has `t` or `event` first and `energy`, or the `R` of a
/// solution, among the columns.
Occupant occupant_of(const std::filesystem::path& file);

/// Writes a text to a file beside its place and renames that file. Throws InputError if the place cannot be written.
void write_text(const std::filesystem::path& file, std::string_view text);

}  // namespace herglotz::io
