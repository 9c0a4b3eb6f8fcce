#pragma once
/// Registry of all methods: every family has a list, and methods.cpp joins the lists.

#include <string_view>
#include <vector>

#include "drive/method.hpp"

namespace herglotz::integrate {

/// Returns every method, in the order of the documentation.
const std::vector<Method>& registry();
/// Returns the method of that name, or nullptr if there is no such method.
const Method* registered_method(std::string_view name);

}  // namespace herglotz::integrate
