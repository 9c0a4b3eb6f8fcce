#include "herglotz/integrate/capabilities.hpp"

#include <algorithm>

namespace herglotz::integrate {

bool locates_events(const MethodInfo& method) {
  return method.needs != Requirement::discrete_lagrangian;
}

bool locates_switches(const MethodInfo& method) {
  return locates_events(method) && !steps_over_impacts(method);
}

bool follows_friction(const MethodInfo& method) {
  const auto& honoured = method.constraints;
  return locates_events(method) && std::find(honoured.begin(), honoured.end(), "nonholonomic") != honoured.end();
}

}  // namespace herglotz::integrate
