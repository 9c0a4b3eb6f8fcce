#pragma once
/// Radau IIA methods.

#include <vector>

#include "drive/method.hpp"
#include "motion/set_method.hpp"

namespace herglotz::integrate {

std::vector<Method> radau_methods();
std::vector<SetMethod> radau_set_methods();

}  // namespace herglotz::integrate
