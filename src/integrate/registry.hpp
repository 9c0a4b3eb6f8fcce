#pragma once
/// The methods that exist, with the functions that run them.

#include <vector>

#include "drive/method.hpp"

namespace herglotz::integrate {

const std::vector<Method>& registry();

}  // namespace herglotz::integrate
