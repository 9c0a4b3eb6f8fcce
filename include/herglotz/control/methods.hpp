#pragma once
/// The methods of `solve`, by name.

#include <string>
#include <vector>

namespace herglotz::control {

struct Method {
  std::string name;
  int order = 0;            ///< 0: that of [discrete]
  bool adaptive = true;     ///< the mesh or the steps follow the tolerance
  std::string algebroids;   ///< the algebroids that it takes, in words
  std::string multipliers;  ///< the meaning of the multipliers of its nonlinear programme
};
const std::vector<Method>& methods();

}  // namespace herglotz::control
