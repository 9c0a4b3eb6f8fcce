#pragma once
/// Model files with a [boundary] table, which are read into a problem of boundary values or control.

#include <string>
#include <string_view>
#include <vector>

#include "herglotz/control/problem.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

/// Reads a model and its problem; `file` is the name used in errors. Throws InputError, also if there is no [boundary].
control::Problem parse_problem(std::string_view text, const std::string& file = "model.toml");

/// Returns whether a model has a [control] table, so that only `parse_problem` accepts it.
bool states_control(std::string_view text, const std::string& file);

/// Returns whether the problem has a parameter or an initial value of this name, to which `apply_setting` gives a
/// number.
bool is_setting(const control::Problem& problem, std::string_view name);

/// Applies a `NAME=VALUE` assignment (--set) to a parameter or an initial value. Throws InputError with file "--set".
void apply_setting(control::Problem& problem, std::string_view assignment);

/// Gives a parameter, an initial value or `duration` a value. The name is known to the problem.
void set_value(control::Problem& problem, const std::string& name, double value);

/// Values that one name takes in a sequence of problems.
struct Continuation {
  std::string name;  ///< parameter, initial value, or `duration`
  std::vector<double> values;
};
/// Reads NAME=FROM:TO:COUNT (--continue): COUNT values with both ends included. Throws InputError with file
/// "--continue".
Continuation read_continuation(const control::Problem& problem, std::string_view assignment);

}  // namespace herglotz::io
