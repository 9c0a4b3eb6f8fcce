#pragma once
/// Model files with a [sweep] table: TOML in, the plan of an ensemble out.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

/// Reads a model and its [sweep] table. Velocities, momenta and second positions of [initial] give way to swept ones of
/// another kind. Throws InputError, also where there is no such table; read_model checks the table and leaves it out.
ensemble::Plan read_plan(const std::filesystem::path& file);
/// The same from text; `file` is the name used in errors. `swept` are assignments NAME=FROM:TO:COUNT (--sweep): ranges
/// with both ends included, of parameters or initial values, in place of what the table says of them; with some the
/// table may be missing.
ensemble::Plan parse_plan(std::string_view text, const std::string& file = "model.toml",
                          const std::vector<std::string>& swept = {});

}  // namespace herglotz::io
