#pragma once
/// The methods of `solve`, by name.

#include <string>
#include <vector>

namespace herglotz::control {

struct Method {
  std::string name;
  int order = 0;
  std::string multipliers;  ///< the meaning of the multipliers of its nonlinear programme
};
const std::vector<Method>& methods();

}  // namespace herglotz::control
