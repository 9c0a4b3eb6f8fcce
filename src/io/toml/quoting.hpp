#pragma once
/// Texts as they stand in model files.

#include <string>
#include <string_view>

namespace herglotz::io {

/// Returns the text with the escapes that a basic string of TOML needs.
std::string toml_escaped(std::string_view text);
/// Returns the text as a basic string of TOML.
std::string toml_string(std::string_view text);

}  // namespace herglotz::io
