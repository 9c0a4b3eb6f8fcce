#pragma once
/// The methods that obey the energy law.

#include <vector>

#include "drive/method.hpp"

namespace herglotz::integrate {

std::vector<Method> energy_methods();

}  // namespace herglotz::integrate
