#pragma once
/// Methods whose steps go over impacts.

#include <vector>

#include "drive/method.hpp"

namespace herglotz::integrate {

std::vector<Method> moreau_methods();

}  // namespace herglotz::integrate
