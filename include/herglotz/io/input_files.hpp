#pragma once
/// Files that a model reads.

#include <string>
#include <string_view>
#include <vector>

namespace herglotz::io {

/// Returns the names of the files that a model reads: those of [inputs] without what its [files] hold, those of edges
/// and of values in a model with an index, and that of [guess]. Entries that are no names of files are left to the
/// reader of the model. Throws InputError if the text is not TOML; `file` is the name used in errors.
std::vector<std::string> input_files(std::string_view text, const std::string& file = "model.toml");

}  // namespace herglotz::io
