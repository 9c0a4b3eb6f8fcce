#pragma once
/// The explicit contact splitting methods.

#include <vector>

#include "drive/method.hpp"

namespace herglotz::integrate {

std::vector<Method> splitting_methods();

}  // namespace herglotz::integrate
