#pragma once
/// The adaptive implicit methods.

#include <vector>

#include "drive/method.hpp"
#include "motion/set_method.hpp"

namespace herglotz::integrate {

std::vector<Method> stiff_methods();
std::vector<SetMethod> stiff_set_methods();

}  // namespace herglotz::integrate
