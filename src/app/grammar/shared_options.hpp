#pragma once
/// Options that commands share.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "commands/commands.hpp"

namespace herglotz::app {

inline constexpr const char* model_help = "a model file, - for standard input, or the name of a gallery model";
inline constexpr const char* force_help = "replace a file that is not a result of a run, or a complete sweep";
inline constexpr const char* set_help = "change a parameter, an initial value, next.<base> or project (repeatable)";

/// Adds --set.
void add_set(CLI::App& command, std::vector<std::string>& into);
/// Adds --method, --step and --tolerance.
void add_method_options(CLI::App& command, RunArguments& to);
/// Adds --format with a choice of formats.
void add_format(CLI::App& command, std::string& into, const std::vector<std::string>& formats);

}  // namespace herglotz::app
