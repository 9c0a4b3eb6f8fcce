#pragma once
/// Roles of columns as files name them.

#include <optional>
#include <string>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::io {

const char* name_of(analyse::Role role);
std::optional<analyse::Role> role_of(const std::string& name);

}  // namespace herglotz::io
