#pragma once
/// Names of columns in model files.

#include <string_view>

#include "toml/source.hpp"

namespace herglotz::io {

/// Throws InputError unless the key can name a column. Names of columns may contain dots and hyphens too. `what` is the
/// thing that has the name, with its article.
void check_column_name(const Source& source, const Member& member, std::string_view what);

}  // namespace herglotz::io
