#pragma once
/// Radau IIA methods.

#include <vector>

#include "drive/method.hpp"

namespace herglotz::integrate {

std::vector<Method> radau_methods();

}  // namespace herglotz::integrate
