#pragma once
/// Model files in TOML, which are read into a Problem.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "herglotz/error.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {

/// Bad input, as one line: `file:line:column: what is wrong; what would be right`. Its `where` is `file:line:column`,
/// or `file` if no line applies.
class InputError : public std::runtime_error, public Error {
 public:
  InputError(std::string file, std::size_t line, std::size_t column, const std::string& problem,
             const std::string& remedy);
  [[nodiscard]] const char* what() const noexcept override { return std::runtime_error::what(); }
  std::string file;
  std::size_t line;  ///< 1-based; 0 if no place applies
  std::size_t column;
};

/// Returns the text of a model file. Throws InputError if the file cannot be read.
std::string model_file_text(const std::filesystem::path& file);

/// Reads a model. Every key is checked: an unknown one is an error that names the nearest known keys. Throws
/// InputError.
simulate::Problem read_model(const std::filesystem::path& file);
/// Reads a model from text; `file` is the name used in errors.
simulate::Problem parse_model(std::string_view text, const std::string& file = "model.toml");

/// Applies a `NAME=VALUE` assignment (--set) to a parameter or an initial value; VALUE is a number or an expression in
/// the parameters. `next.<base>` is a second position, and `project=true|false` sets Settings::project. Velocities,
/// momenta and second positions that conflict with the new value are removed. Throws InputError with file "--set".
void apply_setting(simulate::Problem& problem, std::string_view assignment);

}  // namespace herglotz::io
