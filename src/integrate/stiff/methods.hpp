#pragma once
/// The adaptive implicit methods.

#include <vector>

#include "drive/method.hpp"

namespace herglotz::integrate {

std::vector<Method> stiff_methods();

}  // namespace herglotz::integrate
