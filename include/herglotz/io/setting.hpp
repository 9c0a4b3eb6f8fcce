#pragma once
/// Names that assignments can set.

#include <string_view>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {

/// Returns whether the model has a parameter, an initial value or a second position of this name, to which
/// `apply_setting` gives a number.
bool is_setting(const simulate::Problem& problem, std::string_view name);

}  // namespace herglotz::io
