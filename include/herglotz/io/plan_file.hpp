#pragma once
/// Model files with a [sweep] table, which are read into the plan of an ensemble.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

/// Reads a model and its [sweep] table. Velocities, momenta and second positions of [initial] that conflict with a
/// swept value are removed. Throws InputError, also if there is no such table; read_model checks the table and ignores
/// it.
ensemble::Plan read_plan(const std::filesystem::path& file);
/// Reads a plan from text; `file` is the name used in errors. `swept` are assignments NAME=FROM:TO:COUNT (--sweep):
/// ranges with both ends included, of parameters or initial values. They replace what the table says of these names; if
/// there are any, the table may be missing.
ensemble::Plan parse_plan(std::string_view text, const std::string& file = "model.toml",
                          const std::vector<std::string>& swept = {});

}  // namespace herglotz::io
