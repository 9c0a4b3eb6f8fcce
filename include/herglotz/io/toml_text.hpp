#pragma once
/// The text of a model as other readers of TOML take it.

#include <string>
#include <string_view>

namespace herglotz::io {

/// The text with bare keys that have Greek letters, which TOML 1.0 does not have, in quotes. Throws InputError as
/// parse_model does for other characters outside strings.
std::string with_quoted_keys(std::string_view text);

}  // namespace herglotz::io
