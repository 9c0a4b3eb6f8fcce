#pragma once
/// The methods that exist: one list per family, put together in methods.cpp.

#include <string_view>
#include <vector>

#include "drive/method.hpp"

namespace herglotz::integrate {

/// Returns every method, in the order of the documentation.
const std::vector<Method>& registry();
/// Returns the method of that name, or nullptr.
const Method* registered_method(std::string_view name);

}  // namespace herglotz::integrate
