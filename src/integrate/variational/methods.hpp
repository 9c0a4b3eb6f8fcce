#pragma once
/// The methods that solve discrete Herglotz equations.

#include <vector>

#include "drive/method.hpp"

namespace herglotz::integrate {

std::vector<Method> variational_methods();

}  // namespace herglotz::integrate
