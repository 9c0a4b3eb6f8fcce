#pragma once
/// Names of the roles of columns, in files, in the page of a report and in Python.

#include <optional>
#include <string_view>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::analyse {

const char* name_of(Role role);
/// Returns the role of that name, or `std::nullopt` if there is none.
std::optional<Role> role_of(std::string_view name);

}  // namespace herglotz::analyse
