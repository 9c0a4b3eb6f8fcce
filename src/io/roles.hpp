#pragma once
/// Names of the roles of columns in files.

#include <optional>
#include <string>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::io {

const char* name_of(analyse::Role role);
std::optional<analyse::Role> role_of(const std::string& name);

}  // namespace herglotz::io
