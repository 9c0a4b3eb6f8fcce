#pragma once
/// The methods on action groupoids.

#include <vector>

#include "drive/method.hpp"

namespace herglotz::integrate {

std::vector<Method> groupoid_methods();

}  // namespace herglotz::integrate
