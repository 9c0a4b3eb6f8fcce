#pragma once
/// The contact Gauss and Lobatto methods.

#include <vector>

#include "drive/method.hpp"

namespace herglotz::integrate {

std::vector<Method> contact_methods();

}  // namespace herglotz::integrate
