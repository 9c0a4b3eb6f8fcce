#pragma once
/// Model files with a [boundary] table: TOML in, a problem of boundary values or control out.

#include <string>
#include <string_view>

#include "herglotz/control/problem.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

/// Reads a model and its problem; `file` is the name used in errors. Throws InputError, also where there is no
/// [boundary].
control::Problem parse_problem(std::string_view text, const std::string& file = "model.toml");

/// Whether a model has a [control] table, so that only `parse_problem` takes it.
bool states_control(std::string_view text, const std::string& file);

/// `NAME=VALUE` (--set) for a parameter or an initial value. Throws InputError with file "--set".
void apply_setting(control::Problem& problem, std::string_view assignment);

}  // namespace herglotz::io
