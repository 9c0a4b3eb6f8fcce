#pragma once
/// The one line an action fails with.

#include <string>

#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

/// what() of the InputError that `action` throws; "no error" where it throws none.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// The error of a model without its file's name.
inline std::string error_without_file(const std::string& text) {
  const std::string line = error_of([&] { parse_model(text, "bad.toml"); });
  return line.starts_with("bad.toml:") ? line.substr(9) : line;
}

}  // namespace herglotz::io
