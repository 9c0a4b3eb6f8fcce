#pragma once
/// Reading of the [simulation] table.

#include "herglotz/simulate/simulate.hpp"
#include "toml/source.hpp"

namespace herglotz::io {

simulate::Settings read_settings(const Source& source, const Value& table);

}  // namespace herglotz::io
