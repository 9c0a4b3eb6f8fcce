#pragma once
/// Files that a model reads.

#include <string>
#include <string_view>
#include <vector>

namespace herglotz::io {

/// Returns the names of the files that a model reads: the files of [inputs] that [files] does not hold, the files of
/// edges and values in a model with an index, and the file of [guess]. The reader of the model judges entries that are
/// no names of files. Throws InputError if the text is not TOML; `file` is the name used in errors.
std::vector<std::string> input_files(std::string_view text, const std::string& file = "model.toml");

}  // namespace herglotz::io
