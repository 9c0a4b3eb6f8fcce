#pragma once
/// The methods of `solve`, by name.

#include <string>
#include <vector>

namespace herglotz::control {

struct Method {
  std::string name;
  int order = 0;
  std::string multipliers;  ///< what those of its nonlinear programme are
};
const std::vector<Method>& methods();

}  // namespace herglotz::control
