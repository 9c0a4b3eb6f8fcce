#pragma once
/// The text of a model in a form that other readers of TOML accept.

#include <string>
#include <string_view>

namespace herglotz::io {

/// Returns the text with quotes around bare keys that have Greek letters, which TOML 1.0 does not allow. Throws
/// InputError as parse_model does for other characters outside strings.
std::string with_quoted_keys(std::string_view text);

}  // namespace herglotz::io
