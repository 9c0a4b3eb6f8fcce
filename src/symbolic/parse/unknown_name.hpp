#pragma once
/// Advice on names that an expression does not know.

#include <string>
#include <string_view>

#include "herglotz/symbolic/parser.hpp"

namespace herglotz::symbolic {

/// Returns what would be right in place of an unknown name, or of an unknown function if `call` is true.
std::string advice_on_unknown(std::string_view word, bool call, const Scope& scope);

}  // namespace herglotz::symbolic
